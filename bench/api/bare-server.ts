import { createServer, type IncomingMessage } from 'node:http'
import { Pool } from 'pg'
import type { SentStatement } from '../../packages/server/test-support/recorded-statements.ts'

// The peer: `node:http` and `pg`, which answer a GET and a PUT with the statements that the product sends for them. By a
// message its parent says which.

/** What the parent sends. */
export interface BareOrder {
  databaseUrl: string
  read: SentStatement[]
  write: SentStatement[]
}

const connections = 10
process.once('message', ({ databaseUrl, read, write }: BareOrder) => {
  const pool = new Pool({ connectionString: databaseUrl, max: connections })
  const server = createServer((request, response) => {
    const answered = request.method === 'PUT' ? put(request) : runAll(read)
    answered.then(
      (row) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(row)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })

  /** One after the other on one connection, as a transaction asks for it. Returns the first row. */
  async function runAll(statements: readonly SentStatement[]): Promise<unknown> {
    const client = await pool.connect()
    try {
      let first: unknown
      for (const statement of statements) {
        const { rows } = await client.query<object>(statement)
        first ??= rows[0]
      }
      return first
    } finally {
      client.release()
    }
  }

  async function put(request: IncomingMessage): Promise<unknown> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    JSON.parse(Buffer.concat(parts).toString())
    return runAll(write)
  }

  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
})
process.on('disconnect', () => process.exit(0))

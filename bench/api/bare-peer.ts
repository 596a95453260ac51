import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '../../packages/server/src/db/open-database.ts'
import { recordingStatements, type SentStatement } from '../../packages/server/test-support/recorded-statements.ts'
import { givenWholeApp } from '../../packages/server/test-support/whole-app.ts'
import type { BareOrder } from './bare-server.ts'
import type { Call } from './calls.ts'

export interface BarePeer {
  url: string
  pid: number
  stop(): void
}

/** Starts a bare server that answers GET and PUT with the statements that the product sends for these calls. */
export async function startBarePeer(
  databaseUrl: string,
  { read, write, apiKey }: { read: Call; write: Call; apiKey: string },
): Promise<BarePeer> {
  const [ofRead = [], ofWrite = []] = await statementsOf(databaseUrl, [read, write], apiKey)
  const child = fork(fileURLToPath(new URL('./bare-server.ts', import.meta.url)), [], {
    execArgv: ['--conditions=vedette-source', '--import', 'tsx'],
  })
  const order: BareOrder = { databaseUrl, read: ofRead, write: ofWrite }
  child.send(order)
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => child.disconnect() }
}

/** The statements of each call, without that of the sign-in, which the product keeps for a while. */
async function statementsOf(databaseUrl: string, calls: readonly Call[], apiKey: string): Promise<SentStatement[][]> {
  const { db, statements } = recordingStatements(await openDatabase({ url: databaseUrl }))
  const app = await givenWholeApp(db)
  const headers = { authorization: `Bearer ${apiKey}` }
  try {
    await app.inject({ url: '/v1/accounts/me', headers })
    const found: SentStatement[][] = []
    for (const { method, path: url, body } of calls) {
      const from = statements.length
      const { statusCode } = await app.inject({ method, url, headers, ...(body !== undefined && { payload: body }) })
      if (statusCode !== 200) throw new Error(`${method} ${url} was answered with ${statusCode}.`)
      found.push(statements.slice(from))
    }
    return found
  } finally {
    await app.close()
    await db.close()
  }
}

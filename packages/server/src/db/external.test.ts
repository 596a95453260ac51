import { createServer, type AddressInfo, type Server } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { openDatabase } from './open-database.ts'
import { StartRefused } from '../start-refused.ts'
import { openEmptyDatabase } from '../../test-support/database.ts'

async function refusalOf(url: string): Promise<string> {
  const error = await openDatabase({ url }).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(StartRefused)
  return (error as Error).message
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}

const int16 = (value: number) => Buffer.from([(value >> 8) & 255, value & 255])
const int32 = (value: number) =>
  Buffer.from([(value >> 24) & 255, (value >> 16) & 255, (value >> 8) & 255, value & 255])

/** A server that reports this version and answers nothing else. */
function serverOfVersion(version: string, name: string, encoding: string): Server {
  const column = (label: string, type: number) =>
    Buffer.concat([Buffer.from(`${label}\0`), int32(0), int16(0), int32(type), int16(-1), int32(-1), int16(0)])
  const description = Buffer.concat([int16(3), column('version', 23), column('name', 25), column('encoding', 25)])
  const cells = [version, name, encoding].map((text) => Buffer.concat([int32(text.length), Buffer.from(text)]))
  const ready = message('Z', Buffer.from('I'))
  const answer = [
    message('T', description),
    message('D', Buffer.concat([int16(3), ...cells])),
    message('C', Buffer.from('SELECT 1\0')),
    ready,
  ]
  return createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', int32(0)), ready]))
      socket.on('data', (bytes) =>
        socket.write(
          bytes.includes('SET ') ? Buffer.concat([message('C', Buffer.from('SET\0')), ready]) : Buffer.concat(answer),
        ),
      )
    })
  })
}

test.each(['not an address', 'http://127.0.0.1/name', '127.0.0.1:5432'])('the address "%s" is refused', async (url) => {
  expect(await refusalOf(url)).toMatch(
    /^DATABASE_URL is not the address of a PostgreSQL database\. Expected postgresql:/,
  )
})

test('a database that does not answer is refused, naming where it should be but not its password', async () => {
  const server = createServer()
  const port = await listening(server)
  server.close()
  await once(server, 'close')
  const text = await refusalOf(`postgresql://me:hunter2@127.0.0.1:${port}/vedette`)
  expect(text).toContain(`The database at 127.0.0.1:${port}/vedette does not let Vedette in`)
  expect(text).toContain('correct DATABASE_URL')
  expect(text).not.toContain('hunter2')
})

test.each([
  ['140012', '14.12', 'UTF8', /is PostgreSQL 14\.12, and Vedette needs 15 or newer/],
  ['150004', '15.4', 'SQL_ASCII', /stores text as SQL_ASCII, and Vedette needs UTF8/],
])('PostgreSQL %s (%s) with encoding %s is refused', async (version, name, encoding, expected) => {
  const server = serverOfVersion(version, name, encoding)
  const port = await listening(server)
  try {
    expect(await refusalOf(`postgresql://me@127.0.0.1:${port}/vedette`)).toMatch(expected)
  } finally {
    server.close()
  }
})

// Only with PostgreSQL: the embedded database has no second connection that could end the first.
if (process.env['TEST_DATABASE_URL']) {
  test('a connection that the server ends in the middle fails its transaction and nothing else', async () => {
    const db = await openEmptyDatabase()
    const work = db.transaction(async (client) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      await db.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
      await client.query('SELECT 1')
    })
    await expect(work).rejects.toThrow()
    expect((await db.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await db.close()
  })
}

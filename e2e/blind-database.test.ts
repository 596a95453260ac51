import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../packages/server/src/db/open-database.ts'
import { mountSmallDisk } from '../packages/server/test-support/small-disk.ts'
import { findPostgres } from '../scripts/find-postgres.mjs'
import { startPostgres } from '../scripts/postgres.mjs'
import { removeDataDir, startProduct, until } from './product.ts'
import { startReceiver } from './receiver.ts'
import { startTarget } from './target.ts'

/** Thresholds of up to half a minute, 30 s of patience, and a look every five seconds. */
const withinMs = 120_000

test.skipIf(!findPostgres())(
  'a PostgreSQL that is read-only, full or gone is told of once each, without it',
  async () => {
    const disk = await mountSmallDisk('220m')
    if (disk !== undefined) onTestFinished(() => disk.remove())
    const postgres = await startPostgres(disk === undefined ? {} : { under: disk.path })
    onTestFinished(() => postgres.stop())
    const target = await startTarget(() => 'up')
    onTestFinished(() => target.stop())
    const receiver = await startReceiver()
    onTestFinished(() => receiver.stop())
    const product = await startProduct({ env: { DATABASE_URL: postgres.url } })
    onTestFinished(async () => {
      await product.kill()
      await removeDataDir(product.dataDir)
    })
    const channel = { type: 'WEBHOOK', autoSubscribe: true, config: { name: 'Receiver', url: receiver.url } }
    await product.api('POST', '/v1/alert-channels', channel)
    for (let nth = 0; nth < 10; nth++) {
      const check = { name: `check ${nth}`, frequency: 0, frequencyOffset: 10, request: { url: target.url } }
      expect((await product.api('POST', '/v1/checks/api', check)).status).toBe(201)
    }

    const titles = () => receiver.deliveries.map(({ body }) => body['ALERT_TITLE'])
    const readiness = async () => {
      const answer = await fetch(`${product.url}/-/readiness`)
      const { reasons = [] } = (await answer.json()) as { reasons?: { code: string }[] }
      return { status: answer.status, codes: reasons.map(({ code }) => code) }
    }
    const isReady = async () => (await readiness()).status === 200
    const told = async (title: string, code: string) => {
      const from = Date.now()
      await until(`"${title}" to be told`, async () => titles().includes(`Vedette: ${title}`), withinMs)
      console.log(`told after ${Date.now() - from} ms: ${title}`)
      expect(await readiness()).toEqual({ status: 503, codes: [code] })
    }
    // The channels are read before they are needed.
    await until('the server to be ready', isReady)

    await execute(postgres.url, 'ALTER SYSTEM SET default_transaction_read_only = on')
    await told('No server schedules: its lease cannot be stored', 'NO_SCHEDULER')
    await execute(postgres.url, 'ALTER SYSTEM RESET default_transaction_read_only')
    await until('the server to be ready again', isReady, withinMs)

    if (disk !== undefined) {
      await disk.fill()
      await told('Results cannot be stored', 'RESULTS_NOT_STORED')
      await disk.makeRoom()
      await until('the server to be ready again', isReady, withinMs)
    }

    await postgres.kill()
    await told('The database does not answer', 'DATABASE_AWAY')
    expect(titles()).toHaveLength(disk === undefined ? 2 : 3)
  },
  600_000,
)

async function execute(url: string, statement: string): Promise<void> {
  const db = await openDatabase({ url })
  const client = await db.pool.connect()
  try {
    await client.query('SET default_transaction_read_only = off')
    await client.query(statement)
    await client.query('SELECT pg_reload_conf()')
  } finally {
    client.release()
    await db.close()
  }
}

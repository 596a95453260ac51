import { expect, test } from 'vitest'
import type { Database } from '../packages/server/src/db/database.ts'
import { openDatabase } from '../packages/server/src/db/open-database.ts'
import { openRelay } from '../packages/server/test-support/relay.ts'
import { findPostgres } from '../scripts/find-postgres.mjs'
import { startPostgres } from '../scripts/postgres.mjs'
import { removeDataDir, startProduct, until } from './product.ts'
import { startReceiver } from './receiver.ts'
import { startTarget } from './target.ts'

const withinMs = 20_000
const checks = 5

test.skipIf(!findPostgres())(
  'a server whose connections to PostgreSQL go silent watches and tells again within 20 s',
  async () => {
    let down = false
    const target = await startTarget(() => (down ? 'broken' : 'up'))
    const receiver = await startReceiver()
    const postgres = await startPostgres()
    const relay = await openRelay(postgres.url)
    const db = await openDatabase({ url: postgres.url })
    const product = await startProduct({ env: { DATABASE_URL: relay.through(postgres.url) } })
    await product.api('POST', '/v1/alert-channels', {
      type: 'WEBHOOK',
      config: { name: 'Receiver', url: receiver.url },
    })
    for (let nth = 0; nth < checks; nth++) {
      const check = { name: `check ${nth}`, frequency: 0, frequencyOffset: 10, doubleCheck: false }
      const made = await product.api('POST', '/v1/checks/api', { ...check, request: { url: `${target.url}/${nth}` } })
      expect(made.status).toBe(201)
    }
    await until('the checks to run', async () => (await resultsAfter(db, 0)) >= checks)

    relay.muteOpen()
    down = true
    const mutedAt = Date.now()
    await until('results of runs after the silence', async () => (await resultsAfter(db, mutedAt)) > 0, withinMs)
    console.log(`stored again ${Date.now() - mutedAt} ms after connections went silent`)
    await until('the outage to be told', async () => receiver.deliveries.length > 0, withinMs)
    console.log(`told ${receiver.deliveries[0]!.at - mutedAt} ms after it`)
    await until('every check to be told', async () => receiver.deliveries.length >= checks, 2 * withinMs)

    relay.muteAll()
    await pause(30_000)
    relay.heal()
    down = false
    const healedAt = Date.now()
    await until(
      'results of runs after the network is back',
      async () => (await resultsAfter(db, healedAt)) > 0,
      withinMs,
    )
    console.log(`stored again ${Date.now() - healedAt} ms after the network was back`)
    await until('every recovery to be told', async () => receiver.deliveries.length >= 2 * checks, 2 * withinMs)
    expect(new Set(receiver.deliveries.map(({ headers }) => headers['webhook-id'])).size).toBe(2 * checks)
    const answer = await product.api<unknown[]>('GET', '/v1/check-statuses')
    expect([answer.status, answer.body.length]).toEqual([200, checks])

    expect(await product.stop()).toBe(0)
    await db.close()
    await relay.close()
    await postgres.stop()
    await target.stop()
    await receiver.stop()
    await removeDataDir(product.dataDir)
  },
)

async function resultsAfter(db: Database, since: number): Promise<number> {
  const { rows } = await db.pool.query<{ n: number }>('SELECT count(*) AS n FROM check_results WHERE due_at > $1', [
    new Date(since),
  ])
  return rows[0]?.n ?? 0
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

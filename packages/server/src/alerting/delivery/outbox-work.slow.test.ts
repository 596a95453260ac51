import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { givenAccount, useEmptiedDatabase } from '../../../test-support/database.ts'
import type { Queryable } from '../../db/database.ts'
import { insertNotifications } from '../notifications/alert-store.ts'
import { claimDue, nextDueIn, renewPlans } from './outbox-store.ts'

const database = useEmptiedDatabase()
const channels = 20

interface PlanNode {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

const tableScans = new Set(['Seq Scan', 'Index Scan', 'Index Only Scan', 'Bitmap Heap Scan'])

/** Rows that scans of tables have read, those included that a filter removed. */
function rowsRead(node: PlanNode): number {
  const { 'Actual Rows': rows, 'Actual Loops': loops } = node
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const own = tableScans.has(node['Node Type']) ? (rows + removed) * loops : 0
  return own + (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0)
}

/** What these statements read, each explained while it runs. */
async function work(run: (client: Queryable) => Promise<unknown>): Promise<{ statements: number; rows: number }> {
  const done = { statements: 0, rows: 0 }
  await database.db.transaction(async (client) => {
    const query = async (asked: string | { text: string; values?: unknown[] }, values?: unknown[]) => {
      const [text, given] = typeof asked === 'string' ? [asked, values] : [asked.text, asked.values]
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
        given,
      )
      done.statements++
      done.rows += rowsRead(rows[0]!['QUERY PLAN'][0].Plan)
      return { rows: [], rowCount: 0 }
    }
    await run({ query } as unknown as Queryable)
    await client.query('ROLLBACK; BEGIN')
  })
  return done
}

/** Open notifications: half of them are behind an older one of their check, and half of these older ones are retried later. */
async function givenOpen(count: number): Promise<void> {
  const { db } = database
  const account = await givenAccount(db)
  const alert = randomUUID()
  await db.pool.query(
    `INSERT INTO check_alerts (id, account_id, alert_type, reminder, created_at) VALUES ($1, $2, 'ALERT_FAILURE', 0, now())`,
    [alert, account],
  )
  const checks = Array.from({ length: count / 2 }, () => randomUUID())
  for (const type of ['ALERT_FAILURE', 'ALERT_RECOVERY']) {
    const rows = checks.map((check, at) => ({
      id: randomUUID(),
      account_id: account,
      alert_id: alert,
      check_id: check,
      check_name: 'Shop',
      channel_id: 1 + (at % channels),
      channel_type: 'EMAIL',
      line: 'state',
      alert_config: {},
      message: { alertType: type, checkId: check },
      round: at + (type === 'ALERT_FAILURE' ? 0 : count),
      decided_at: new Date().toISOString(),
      queued_at: new Date().toISOString(),
    }))
    for (let from = 0; from < rows.length; from += 1000)
      await insertNotifications(db.pool, rows.slice(from, from + 1000))
    await db.pool.query(
      `UPDATE alert_notifications SET next_attempt_at = clock_timestamp() + interval '5 minutes', attempts = 6
       WHERE round / ${channels} % 2 = 0 AND message->>'alertType' = 'ALERT_FAILURE' AND attempts = 0`,
    )
  }
}

const claim = { holder: randomUUID(), leaseMs: 60_000, limit: 32, perChannel: 4, underWay: [] }

async function look(client: Queryable): Promise<void> {
  await renewPlans(client)
  await claimDue(client, claim)
  await nextDueIn(client)
}

it('a look at 10,000 open notifications reads a few of each channel', { timeout: 120_000 }, async () => {
  await givenOpen(10_000)
  const most = { statements: 3, rows: 50 * channels }
  // Statistics of the table may be old, or there may be none.
  for (const text of ['SELECT', 'ANALYZE alert_notifications']) {
    await database.db.pool.query(text)
    const done = await work(look)
    expect(done.statements).toBe(most.statements)
    expect(done.rows, text).toBeLessThan(most.rows)
  }
})

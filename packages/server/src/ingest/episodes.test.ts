import { randomUUID } from 'node:crypto'
import type { PoolClient, QueryConfig } from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { redefine, type GivenCheck } from '../../test-support/checks.ts'
import { useDatabase } from '../../test-support/database.ts'
import { useIngest } from '../../test-support/ingest.ts'
import { incomingResult, type ResultParts } from '../../test-support/results.ts'
import type { Database, Queryable } from '../db/database.ts'
import { endEpisodes } from '../alerting/episodes/episode-store.ts'

const database = useDatabase()
const setup = useIngest(database)
const minute = 60_000
let check: GivenCheck

beforeEach(async () => {
  check = await setup.given({ alertSettings: { reminders: { amount: 0, interval: 5 } } })
})

type Run = 'pass' | 'fail' | 'degraded' | 'unknown'

const resultOf = (run: Run, dueAt: number, more: Partial<ResultParts> = {}) =>
  incomingResult(check, dueAt, {
    outcome: run === 'degraded' ? 'pass' : run,
    degraded: run === 'degraded',
    receivedAt: setup.clock.now(),
    ...more,
    identity: { sequenceId: randomUUID(), attemptId: randomUUID() },
  })

/** One run a minute, each in a batch of its own. Returns their due times. */
async function runs(...outcomes: Run[]): Promise<number[]> {
  const due: number[] = []
  for (const outcome of outcomes) {
    await setup.clock.advance(minute)
    due.push(setup.clock.now())
    await setup.take([resultOf(outcome, setup.clock.now())])
  }
  return due
}

interface Row {
  state: string
  began_at: Date
  ended_at: Date | null
  cause: string
  result_id: string
  acknowledged_by: string | null
}
const episodes = async () =>
  (
    await database.db.pool.query<Row>('SELECT * FROM check_episodes WHERE check_id = $1 ORDER BY began_at, ended_at', [
      check.id,
    ])
  ).rows
const told = async () =>
  (await episodes()).map(({ state, began_at: from, ended_at: to }) => [state, from.getTime(), to?.getTime() ?? null])
const acknowledge = () =>
  database.db.pool.query(
    `UPDATE check_episodes SET acknowledged_by = 'ann@example.org', acknowledged_at = now()
     WHERE check_id = $1 AND ended_at IS NULL`,
    [check.id],
  )
const activate = (activated: boolean) =>
  database.db.pool.query('UPDATE checks SET activated = $2 WHERE id = $1', [check.id, activated])

type Look = (client: Queryable, query: QueryConfig, rows: Record<string, unknown>[]) => Promise<void>

/** The database, with a look at what each statement of a transaction answers. */
function answering(look: Look): Database {
  const transaction: Database['transaction'] = (work, options) =>
    database.db.transaction((client) => {
      const query = async (sent: string | QueryConfig, values?: unknown[]) => {
        const config = typeof sent === 'string' ? { text: sent, ...(values && { values }) } : sent
        const answer = await client.query<Record<string, unknown>>(config)
        await look(client, config, answer.rows)
        return answer
      }
      return work({ query } as unknown as PoolClient)
    }, options)
  return { ...database.db, transaction }
}

describe('an episode', () => {
  it('begins with the first bad run and ends with the first good one', async () => {
    const [, first, , good] = await runs('pass', 'fail', 'fail', 'pass')
    expect(await told()).toEqual([['failing', first, good]])
    const [{ cause, result_id: resultId } = { cause: '', result_id: '' }] = await episodes()
    expect(cause).toBe('fail here')
    expect((await setup.rowsOf(check)).find(({ id }) => id === resultId)?.['due_at']).toEqual(new Date(first ?? 0))
  })

  it('is another one when a check gets worse or better', async () => {
    const due = await runs('degraded', 'fail', 'degraded', 'pass')
    expect(await told()).toEqual([
      ['degraded', due[0], due[1]],
      ['failing', due[1], due[2]],
      ['degraded', due[2], due[3]],
    ])
  })

  it('lasts through runs of which nothing is known, and results that are older than what is known', async () => {
    const [, bad] = await runs('pass', 'fail', 'unknown')
    await setup.take([resultOf('pass', (bad ?? 0) - minute / 2)])
    expect(await told()).toEqual([['failing', bad, null]])
  })

  it('is as long as the outage when late results tell of it in one batch', async () => {
    const now = setup.clock.now()
    const at = (minutes: number) => now + minutes * minute
    await setup.clock.advance(20 * minute)
    await setup.take(
      (['pass', 'fail', 'fail', 'pass', 'fail', 'degraded'] as const).map((run, nr) => resultOf(run, at(nr))),
    )
    expect(await told()).toEqual([
      ['failing', at(1), at(3)],
      ['failing', at(4), at(5)],
      ['degraded', at(5), null],
    ])
  })

  it('of a parallel check begins when the run is decided', async () => {
    await redefine(database, check, { runParallel: true })
    const dueAt = setup.clock.now()
    await setup.take([resultOf('pass', dueAt, { location: 'eu-west-1' })])
    expect(await told()).toEqual([])
    await setup.take([resultOf('fail', dueAt, { location: 'us-east-1' })])
    expect(await told()).toEqual([['failing', dueAt, null]])
  })

  it('began before it ended, also when the clock was set back between', async () => {
    await runs('pass', 'fail')
    setup.clock.setWall(-120 * minute)
    const [good] = await runs('pass')
    expect(await told()).toEqual([['failing', (good ?? 0) - 1, good]])
    const [bad] = await runs('fail')
    expect((await told()).filter(([, , end]) => end === null)).toEqual([['failing', bad, null]])
  })
})

describe('the episode of a check that is switched off', () => {
  it('ends, and another one begins with the first bad run after that', async () => {
    const [bad] = await runs('fail')
    const off = new Date(setup.clock.now())
    await activate(false)
    await endEpisodes(database.db.pool, [check.id], off)
    await runs('fail')
    expect(await told()).toEqual([['failing', bad, off.getTime()]])
    await activate(true)
    const [again] = await runs('fail', 'fail')
    expect(await told()).toEqual([
      ['failing', bad, off.getTime()],
      ['failing', again, null],
    ])
  })

  it('does not begin when that happens while its result is stored', async () => {
    const other = setup.open(
      answering(async (client, { name }) => {
        if (name?.startsWith('ingest-lock'))
          await client.query('UPDATE checks SET activated = false WHERE id = $1', [check.id])
      }),
    )
    await setup.take([resultOf('fail', setup.clock.now())], other)
    await other.stop()
    expect(await setup.statusOf(check)).toMatchObject({ state: 'failing' })
    expect(await told()).toEqual([])
  })
})

describe('what kept an episode from being written', () => {
  it('is made good by the next result, whatever it was', async () => {
    await runs('fail')
    // As when a server of the version before stored the results between.
    await database.db.pool.query('DELETE FROM check_episodes WHERE check_id = $1', [check.id])
    const [bad] = await runs('fail')
    expect(await told()).toEqual([['failing', bad, null]])
    const [good] = await runs('pass')
    await database.db.pool.query('UPDATE check_episodes SET ended_at = NULL WHERE check_id = $1', [check.id])
    await runs('pass', 'pass')
    expect(await told()).toEqual([['failing', bad, good]])
  })

  it('costs no result', async () => {
    await runs('fail')
    const stale = setup.open(
      answering((_client, _query, rows) => {
        // As if the episode was not there yet when the row was read.
        for (const row of rows) if ('episode_id' in row) row['episode_id'] = null
        return Promise.resolve()
      }),
    )
    const { accepted } = await setup.take([resultOf('fail', setup.clock.now() + 1)], stale)
    await stale.stop()
    expect([accepted.length, (await told()).length]).toEqual([1, 1])
  })
})

it('a transaction that fails writes neither the state nor the episode, and the result that comes again writes both once', async () => {
  let fails = true
  const crashing = setup.open({
    ...database.db,
    transaction: (work, options) =>
      database.db.transaction(async (client) => {
        const done = await work(client)
        if (fails) throw new Error('The server died before the commit.')
        return done
      }, options),
  })
  const result = resultOf('fail', setup.clock.now())
  await setup.take([result], crashing)
  expect([await told(), (await setup.statusOf(check))?.['state']]).toEqual([[], 'pending'])
  fails = false
  await setup.deliver([result, result], 3, crashing)
  await setup.deliver([result], 1, crashing)
  await crashing.stop()
  expect((await told()).length).toBe(1)
})

describe('an acknowledgement', () => {
  const by = async () => (await episodes()).map(({ acknowledged_by: name }) => name)

  it('stays while the check fails and is no part of the next failure', async () => {
    await runs('fail')
    await acknowledge()
    await runs('fail', 'pass', 'fail')
    expect(await by()).toEqual(['ann@example.org', null])
  })

  it('stays when a check gets better without being well, and ends when it gets worse', async () => {
    await runs('fail')
    await acknowledge()
    await runs('degraded')
    expect(await by()).toEqual(['ann@example.org', 'ann@example.org'])
    await runs('fail')
    expect(await by()).toEqual(['ann@example.org', 'ann@example.org', null])
  })

  it('is named in the recovery', async () => {
    const { rows } = await database.db.pool.query<{ id: number }>(
      `INSERT INTO alert_channels (account_id, type, config, secrets, send_recovery, send_failure, send_degraded,
         ssl_expiry, ssl_expiry_threshold, auto_subscribe, version, created_at)
       VALUES ($1, 'EMAIL', '{"address":"a@example.org"}', '{}', true, true, true, false, 30, false, 1, now()) RETURNING id`,
      [check.accountId],
    )
    await database.db.pool.query(
      'INSERT INTO alert_subscriptions (account_id, channel_id, check_id, activated) VALUES ($1, $2, $3, true)',
      [check.accountId, rows[0]?.id, check.id],
    )
    await runs('fail')
    await acknowledge()
    await runs('pass')
    const sent = await database.db.pool.query<{ type: string; by: string | null }>(
      `SELECT message->>'alertType' AS type, message->>'acknowledgedBy' AS by FROM alert_notifications
       WHERE check_id = $1 ORDER BY seq`,
      [check.id],
    )
    expect(sent.rows).toEqual([
      { type: 'ALERT_FAILURE', by: null },
      { type: 'ALERT_RECOVERY', by: 'ann@example.org' },
    ])
  })
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { givenApi } from '../../test-support/api.ts'
import { letPromisesRun } from '../../test-support/clock.ts'
import { useDatabase } from '../../test-support/database.ts'
import { useIngest } from '../../test-support/ingest.ts'
import { incomingResult } from '../../test-support/results.ts'

const database = useDatabase()
const setup = useIngest(database)

test('checks that are paused, activated and acknowledged while their results are stored have the episodes of their states', async () => {
  const api = await givenApi(database.db)
  const ids: string[] = []
  for (let nr = 0; nr < 12; nr++) {
    const body = {
      name: 'Shop',
      frequency: 1,
      doubleCheck: false,
      locations: ['eu-west-1'],
      request: { url: 'http://127.0.0.1:1/' },
    }
    ids.push(String((await api.call('POST', '/v1/checks/api', { body })).body['id']))
  }
  const store = async (round: number) => {
    // They are due before the first change: what was due later, its check had another revision.
    const at = setup.now - 60_000 + round * 1000
    const results = ids.map((id, nr) => {
      const outcome = (round + nr) % 3 === 0 ? 'pass' : 'fail'
      const identity = { sequenceId: randomUUID(), attemptId: randomUUID() }
      return incomingResult({ id, accountId: api.accountId }, at, { outcome, receivedAt: setup.now, identity })
    })
    const answer = setup.ingest.accept(results)
    let stored = false
    void answer.finally(() => (stored = true))
    while (!stored) {
      await setup.clock.advance(300)
      await letPromisesRun()
    }
    expect((await answer).accepted).toHaveLength(ids.length)
  }
  const change = async (activated: boolean) => {
    const { status, body } = await api.call('POST', '/v1/checks/bulk', { body: { ids, change: { activated } } })
    expect([status, body['refused']]).toEqual([200, []])
  }
  const acknowledge = () => Promise.all(ids.map((id) => api.call('POST', `/v1/checks/${id}/acknowledge`)))
  for (let round = 1; round <= 12; round++)
    await Promise.all([store(round), change(round % 2 === 0), ...(round % 3 === 0 ? [acknowledge()] : [])])
  await change(true)
  for (const round of [20, 21]) await store(round)
  const { rows } = await database.db.pool.query<{ state: string; open: string[] }>(
    `SELECT s.state, array_remove(array_agg(e.state), NULL) AS open FROM check_status s
     LEFT JOIN check_episodes e ON e.check_id = s.check_id AND e.ended_at IS NULL
     WHERE s.check_id = ANY($1::uuid[]) GROUP BY s.check_id`,
    [ids],
  )
  for (const { state, open } of rows) expect(open).toEqual(state === 'failing' ? ['failing'] : [])
  await change(false)
  const left = await database.db.pool.query(
    'SELECT 1 FROM check_episodes WHERE check_id = ANY($1::uuid[]) AND ended_at IS NULL',
    [ids],
  )
  expect(left.rows).toEqual([])
  expect(setup.errors).toEqual([])
}, 60_000)

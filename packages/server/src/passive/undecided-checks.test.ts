import { afterEach, describe, expect, it, vi } from 'vitest'
import { checkTypeOf } from '@vedette/checks'
import { useDatabase } from '../../test-support/database.ts'
import { usePassiveServer } from '../../test-support/passive-server.ts'

const database = useDatabase()
const passive = usePassiveServer(database)
const { clock } = passive
afterEach(() => vi.restoreAllMocks())

const setSecrets = (checkId: string, secrets: object) =>
  database.db.pool.query('UPDATE check_revisions SET secrets = $2 WHERE check_id = $1', [checkId, secrets])

const rowsOf = async (checkId: string, table: 'check_results' | 'check_alerts') =>
  (
    await database.db.pool.query(
      `SELECT * FROM ${table} WHERE check_id = $1 ORDER BY ${table === 'check_results' ? 'due_at' : 'created_at'}`,
      [checkId],
    )
  ).rows as Record<string, unknown>[]

describe('a check whose secrets cannot be opened', () => {
  it('is not known with the reason, is told of, and goes on once they can be', async () => {
    const check = await passive.givenHeartbeat()
    await check.send()
    await clock.advance(1000)
    await setSecrets(check.id, { 'heartbeat.period': 'not sealed' })
    await passive.restart()
    await clock.advance(200_000)
    const results = await rowsOf(check.id, 'check_results')
    expect(results.map(({ outcome }) => outcome)).toEqual(['pass', 'unknown', 'unknown', 'unknown', 'unknown'])
    expect(results[1]).toMatchObject({
      result_type: 'FINAL',
      cause: expect.stringMatching(/^Nothing could be decided about this check: ./) as string,
      body: { internalError: { code: 'NOT_DECIDED' } },
    })
    expect((await rowsOf(check.id, 'check_alerts')).map(({ alert_type: type }) => type)).toContain('ALERT_UNKNOWN')
    await setSecrets(check.id, {})
    await clock.advance(61_000)
    await check.send()
    await clock.advance(1000)
    expect(await check.state()).toBe('passing')
    await clock.advance(75_000)
    expect(await check.state()).toBe('failing')
  })
})

describe('a check whose type throws', () => {
  it('is not known with the reason, and others are decided', async () => {
    const [broken, other] = [await passive.givenHeartbeat(), await passive.givenHeartbeat()]
    const mode = checkTypeOf('HEARTBEAT')?.mode
    if (mode?.kind !== 'passive') throw new Error('A heartbeat check waits for events.')
    const decide = mode.decide.bind(mode)
    const isBroken = new Set<number>()
    vi.spyOn(mode, 'decide').mockImplementation((history, now, definition) => {
      if (isBroken.has(history.startedAt)) throw new Error('a bug in the type')
      return decide(history, now, definition)
    })
    const { rows } = await database.db.pool.query<{ created_at: Date }>('SELECT created_at FROM checks WHERE id = $1', [
      broken.id,
    ])
    isBroken.add(rows[0]?.created_at.getTime() ?? 0)
    await broken.send()
    await other.send()
    await clock.advance(1000)
    expect(await rowsOf(broken.id, 'check_results')).toMatchObject([
      { outcome: 'unknown', cause: 'Nothing could be decided about this check: a bug in the type' },
    ])
    expect(await other.outcomes()).toEqual(['pass'])
    isBroken.clear()
    await broken.send()
    await clock.advance(1000)
    expect(await broken.state()).toBe('passing')
  })
})

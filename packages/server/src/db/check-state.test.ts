import { expect, test } from 'vitest'
import { givenCheck, redefine } from '../../test-support/checks.ts'
import { useDatabase } from '../../test-support/database.ts'
import { shownCause, shownSince, shownState, shownStatus, type StateFacts } from './check-state.ts'

const database = useDatabase()
const now = Date.UTC(2026, 0, 5, 12)

const well: StateFacts = {
  activated: true,
  notRunnable: null,
  state: 'passing',
  stateSince: now - 9_000_000,
  cause: null,
  hasErrors: false,
  knownAt: now - 60_000,
  whyUnknown: null,
  periodMs: 60_000,
}

const cases: [name: string, facts: Partial<StateFacts>][] = [
  ['a check that runs', {}],
  ['one that is paused', { activated: false, knownAt: now - 9_000_000 }],
  ['one that cannot run', { notRunnable: 'no' }],
  ['one that cannot run and never did', { notRunnable: 'no', state: 'pending', stateSince: null, knownAt: null }],
  ['one that is failing for long', { state: 'failing', knownAt: now - 9_000_000, cause: 'down' }],
  ['one whose last run is just recent enough', { knownAt: now - 480_000 }],
  ['one whose last run is too old', { knownAt: now - 480_001, state: 'degraded', cause: 'slow' }],
  ['one whose newest run is not known', { knownAt: now - 130_001, hasErrors: true }],
  ['one that says why it is not known', { knownAt: now - 130_001, hasErrors: true, whyUnknown: 'No agent serves it.' }],
  ['the same a moment before', { knownAt: now - 130_000, hasErrors: true }],
  ['one of seconds', { periodMs: 10_000, knownAt: now - 380_001 }],
  ['one without a schedule', { periodMs: null, knownAt: now - 9_000_000 }],
  ['one that has no result yet', { state: 'pending', stateSince: null, knownAt: null }],
]

test.each(cases)('the database and the program show the same: %s', async (_, changes) => {
  const facts = { ...well, ...changes }
  const check = await givenCheck(database)
  const { periodMs } = facts
  const schedule =
    periodMs === null ? {} : periodMs < 60_000 ? { frequency: 0, frequencyOffset: periodMs / 1000 } : { frequency: 1 }
  await redefine(database, check, schedule)
  const effective = periodMs === null ? `'{"frequency": null}'` : 'effective'
  await database.db.pool.query(
    `UPDATE checks SET activated = $2, not_runnable = $3, effective = ${effective} WHERE id = $1`,
    [check.id, facts.activated, facts.notRunnable],
  )
  await database.db.pool.query(
    `UPDATE check_status SET state = $2, state_since = $3, cause = $4, has_errors = $5, alert_state = jsonb_build_object('dueAt', $6::float8,
       'unwatched', jsonb_build_object('triggeringResult', jsonb_build_object('cause', $7::text)))
     WHERE check_id = $1`,
    [check.id, facts.state, date(facts.stateSince), facts.cause, facts.hasErrors, facts.knownAt ?? 0, facts.whyUnknown],
  )
  const { rows } = await database.db.pool.query(
    `SELECT ${shownState('$2')} AS state, ${shownSince('$2')} AS since, ${shownCause('$2')} AS cause
     FROM checks c JOIN check_status s ON s.check_id = c.id WHERE c.id = $1`,
    [check.id, new Date(now)],
  )
  const shown = shownStatus(facts, now)
  expect(rows).toEqual([{ ...shown, since: date(shown.since) }])
})

const date = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

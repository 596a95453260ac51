import { systemClock } from '@vedette/wire'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { givenAccount, useDatabase } from '../../../test-support/database.ts'
import { Ingest } from '../../ingest/index.ts'
import { givenCheck } from '../../../test-support/checks.ts'
import { incomingResult } from '../../../test-support/results.ts'
import { TestClock } from '../../../test-support/clock.ts'
import { testVault as vault } from '../../../test-support/vault.ts'
import { alertVariables } from '../channels/variables.ts'
import type { AlertMessage } from '../notifications/notification-row.ts'
import { givenChannel } from '../../../test-support/alerts.ts'
import { countDatabaseWork } from '../../../test-support/database-work.ts'
import { CertificateWatch } from './certificate-watch.ts'

const database = useDatabase()
const { counting, settle } = countDatabaseWork()
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const running: CertificateWatch[] = []
let of: { accountId: string; checkId: string }
let clock: TestClock
let ingest: Ingest
let wakes: number
let faults: object[]
const request = { method: 'GET', url: 'https://defined.example/' }
const log = { error: (details: object) => void faults.push(details) }

beforeEach(async () => {
  await database.db.pool.query('UPDATE check_status SET ssl_not_after = NULL')
  const accountId = await givenAccount(database.db)
  const { id } = await givenCheck(database, { accountId, definition: { request } })
  of = { accountId, checkId: id }
  ingest = new Ingest({ db: database.db, clock: systemClock, log })
  clock = new TestClock(Date.now(), settle)
  wakes = 0
  faults = []
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((watch) => watch.stop()))
  await ingest.stop()
  expect(faults).toEqual([])
})

const channel = (sslDays?: number) =>
  givenChannel({ db: database.db, vault }, of, {
    type: 'EMAIL',
    config: { address: 'a@example.org' },
    ...(sslDays !== undefined && { sslDays }),
  })
const change = (text: string, ...values: unknown[]) =>
  database.db.pool.query(text.replaceAll('THIS', '$1'), [of.checkId, ...values])

/** Stores that the check just saw a certificate that ends then. */
const sees = async (
  notAfter: number,
  urls: { url?: string; href?: string } = { href: 'https://shop.example:8443/' },
) => {
  const dueAt = clock.now() - 2500
  const { url = urls.href, href } = urls
  const result = { apiCheckResult: { request: { url }, response: href === undefined ? null : { href } } }
  const run = incomingResult({ id: of.checkId, accountId: of.accountId }, dueAt, {
    report: { certificateNotAfter: notAfter, result },
  })
  expect((await ingest.accept([run])).rejected).toEqual([])
  return { id: run.identity.attemptId, dueAt }
}
const start = async () => {
  const watch = new CertificateWatch({
    db: counting(database.db),
    clock,
    onQueued: () => void wakes++,
    log,
  })
  running.push(watch)
  watch.start()
  await clock.advance(minute)
  return watch
}
const notified = async () => {
  const { rows } = await database.db.pool.query<{ channel_id: number; message: AlertMessage }>(
    'SELECT channel_id, message FROM alert_notifications WHERE check_id = $1 ORDER BY seq',
    [of.checkId],
  )
  return rows
}
const messageOf = (alert: AlertMessage) => ({
  notificationId: '',
  attempt: 1,
  alert,
  variables: {},
  baseUrl: '',
  location: { slug: 'eu-west-1', name: 'Ireland' },
})
const titles = async () =>
  (await notified()).map(({ message: alert }) => {
    const variables = alertVariables(messageOf(alert))
    return variables['ALERT_TITLE']
  })
const notifiedChannels = async () => (await notified()).map(({ channel_id: id }) => id)

describe('certificates that expire', () => {
  it('lead to notifications with host, date and days, and with the last run that saw them', async () => {
    const id = await channel(30)
    const { id: resultId, dueAt } = await sees(clock.now() + 5 * day + hour)
    await start()
    const [{ channel_id: channelId, message: alert }] = (await notified()) as [Awaited<ReturnType<typeof notified>>[0]]
    expect(channelId).toBe(id)
    expect(alert).toMatchObject({ resultId, resultDueAt: dueAt, revision: 1, location: 'eu-west-1', checkName: 'Shop' })
    const until = new Date(alert.certificate?.notAfter ?? 0).toISOString().slice(0, 19).replace('T', ' ')
    expect(alertVariables(messageOf(alert))).toMatchObject({
      ALERT_TITLE: 'Certificate of shop.example expires in 5 days',
      ALERT_TYPE: 'ALERT_SSL',
      CHECK_ERROR_MESSAGE: `The certificate of shop.example expires in 5 days, on ${until} UTC.`,
      SSL_DAYS_REMAINING: 5,
      SSL_CHECK_DOMAIN: 'shop.example',
    })
    const { rows } = await change(`SELECT alert_type, result_id FROM check_alerts WHERE check_id = THIS`)
    expect(rows).toEqual([{ alert_type: 'ALERT_SSL', result_id: resultId }])
    expect(wakes).toBe(1)
  })

  it.each([
    [1.5 * day, 'expires in 1 day', 1],
    [3 * hour, 'expires in less than a day', 0],
    [-3 * hour, 'has expired', -1],
  ])('%i ms from their end: %s', async (left, words, days) => {
    await channel(30)
    await sees(clock.now() + minute + left)
    await start()
    expect(await titles()).toEqual([`Certificate of shop.example ${words}`])
    const [{ message: alert }] = (await notified()) as [Awaited<ReturnType<typeof notified>>[0]]
    const variables = alertVariables(messageOf(alert))
    expect(variables['SSL_DAYS_REMAINING']).toBe(days)
    if (days < 0) expect(alert.cause).toMatch(/^The certificate of shop.example expired less than a day ago, on /)
  })

  it('lead to one notification, however often they are looked at', async () => {
    await channel(30)
    await sees(clock.now() + 5 * day)
    await start()
    await clock.advance(3 * hour)
    await sees(clock.now() + 5 * day - 3 * hour - minute)
    await clock.advance(20 * hour)
    expect(await notifiedChannels()).toHaveLength(1)
    expect(wakes).toBe(1)
  })

  it('are sent to each channel at its own threshold', async () => {
    const [ten, thirty] = [await channel(10), await channel(30)]
    await channel()
    const notAfter = clock.now() + 12 * day
    await sees(notAfter)
    await start()
    expect(await notifiedChannels()).toEqual([thirty])
    for (const left of [20 * hour, 3 * hour]) {
      await clock.advance(left)
      await sees(notAfter)
    }
    expect(await notifiedChannels()).toEqual([thirty])
    await clock.advance(2 * hour)
    expect(await titles()).toEqual([11, 10].map((days) => `Certificate of shop.example expires in ${days} days`))
    expect(await notifiedChannels()).toEqual([thirty, ten])
  })

  it('are sent again when the renewed one ends, and not while an older one is seen again', async () => {
    await channel(10)
    const [first, second] = [clock.now() + 3 * day, clock.now() + 90 * day]
    await sees(first)
    await start()
    for (const notAfter of [second, first, first + 5 * day, first]) {
      await sees(notAfter)
      await clock.advance(hour)
    }
    expect(await titles()).toEqual([2, 7].map((days) => `Certificate of shop.example expires in ${days} days`))
  })

  it('are sent to a channel that subscribes later, and not to the others again', async () => {
    const early = await channel(30)
    await sees(clock.now() + 5 * day)
    await start()
    const late = await channel(30)
    await clock.advance(hour)
    expect(await notifiedChannels()).toEqual([early, late])
  })

  it('are sent for muted checks and paused subscriptions only when those are resumed', async () => {
    await channel(30)
    await sees(clock.now() + 5 * day)
    await change(`UPDATE checks SET effective = effective || '{"muted":true}' WHERE id = THIS`)
    await start()
    await change('UPDATE alert_subscriptions SET activated = false WHERE check_id = THIS')
    await change(`UPDATE checks SET effective = effective || '{"muted":false}' WHERE id = THIS`)
    await clock.advance(hour)
    expect(await notifiedChannels()).toEqual([])
    await change('UPDATE alert_subscriptions SET activated = true WHERE check_id = THIS')
    await clock.advance(hour)
    expect(await notifiedChannels()).toHaveLength(1)
  })

  it.each([
    ['the check is off', 'UPDATE checks SET activated = false WHERE id = THIS'],
    ['the check is deleted', 'UPDATE checks SET deleted_at = now() WHERE id = THIS'],
    ['nobody is subscribed', 'DELETE FROM alert_subscriptions WHERE check_id = THIS'],
    [
      'the channel is gone',
      'UPDATE alert_channels SET deleted_at = now() WHERE account_id = (SELECT account_id FROM checks WHERE id = THIS)',
    ],
    [
      'no run looked for a day',
      `UPDATE check_status SET last_run_at = last_run_at - interval '25 hours' WHERE check_id = THIS`,
    ],
  ])('are not sent when %s', async (_, text) => {
    await channel(30)
    await sees(clock.now() + 5 * day)
    await change(text)
    await start()
    await clock.advance(hour)
    expect(await notifiedChannels()).toEqual([])
  })

  it('are sent after a restart when they were not before, and not twice with a second server', async () => {
    await Promise.all([channel(30), channel(30), channel(7)])
    await sees(clock.now() + 5 * day)
    const first = await start()
    expect(await notifiedChannels()).toHaveLength(3)
    await first.stop()
    await clock.advance(3 * hour)
    await sees(clock.now() + 2 * day)
    await Promise.all([start(), start()])
    await clock.advance(2 * hour)
    expect(await notifiedChannels()).toHaveLength(6)
  })

  it.each([
    ['the page a redirect led to', { url: 'https://old.example/a', href: 'https://new.example/b' }, 'new.example'],
    ['the request that got no answer', { url: 'https://old.example/a' }, 'old.example'],
    ['the definition when the result does not say', {}, 'defined.example'],
  ])('take their host from %s', async (_, urls, host) => {
    await channel(30)
    await sees(clock.now() + 5 * day + hour, urls)
    await start()
    expect(await titles()).toEqual([`Certificate of ${host} expires in 5 days`])
  })

  it('are sent even if there are more than fit one transaction', async () => {
    const checks = 230
    await channel(30)
    await sees(clock.now() + 5 * day)
    await change(
      `WITH made AS (
         INSERT INTO checks (id, account_id, type, name, activated, tags, definition, effective, secrets, offset_sent, revision, version, created_at)
         SELECT gen_random_uuid(), account_id, type, name, true, '{}', definition, effective, '{}', false, 1, 1, created_at
         FROM checks CROSS JOIN generate_series(2, $2::int) WHERE id = THIS RETURNING id, account_id
       ), subscribed AS (
         INSERT INTO alert_subscriptions (account_id, channel_id, check_id, activated)
         SELECT made.account_id, ch.id, made.id, true FROM made JOIN alert_channels ch ON ch.account_id = made.account_id
       )
       INSERT INTO check_status (check_id, account_id, state, alert_state, created_at, ssl_not_after, last_result_id,
         last_check_run_id, last_run_at, last_run_location)
       SELECT made.id, made.account_id, 'passing', '{}', now(), s.ssl_not_after, gen_random_uuid(), s.last_check_run_id,
         s.last_run_at, s.last_run_location
       FROM made CROSS JOIN check_status s WHERE s.check_id = THIS`,
      checks,
    )
    await start()
    const { rows } = await database.db.pool.query(
      'SELECT count(*)::int AS n FROM alert_notifications WHERE account_id = $1',
      [of.accountId],
    )
    expect(rows).toEqual([{ n: checks }])
  })
})

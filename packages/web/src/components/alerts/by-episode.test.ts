import type { AlertNotification } from '@vedette/wire'
import { expect, test } from 'vitest'
import { byEpisode } from './by-episode.ts'

let number = 0
const sent = (checkId: string | null, alertType: string, more: Partial<AlertNotification> = {}) =>
  ({
    id: String(++number),
    checkId,
    checkName: checkId ?? 'Vedette',
    alertType,
    reminder: 0,
    checkAlertId: `a${number}`,
    ...more,
  }) as AlertNotification
const told = (notifications: AlertNotification[]) =>
  byEpisode(notifications).map(({ checkName, notifications: own }) => [
    checkName,
    own.map(({ alertType }) => alertType),
  ])

test('what belongs to one trouble stands together, newest trouble first', () => {
  expect(
    told([
      sent('shop', 'ALERT_RECOVERY'),
      sent('blog', 'ALERT_FAILURE'),
      sent('shop', 'ALERT_FAILURE_REMAIN', { reminder: 1 }),
      sent('shop', 'ALERT_FAILURE'),
      sent('shop', 'ALERT_RECOVERY'),
      sent('shop', 'ALERT_FAILURE'),
    ]),
  ).toEqual([
    ['shop', ['ALERT_RECOVERY', 'ALERT_FAILURE_REMAIN', 'ALERT_FAILURE']],
    ['blog', ['ALERT_FAILURE']],
    ['shop', ['ALERT_RECOVERY', 'ALERT_FAILURE']],
  ])
})

test('an alert that went to two channels is one', () => {
  const both = [
    sent('shop', 'ALERT_FAILURE', { checkAlertId: 'x' }),
    sent('shop', 'ALERT_FAILURE', { checkAlertId: 'x' }),
  ]
  expect(byEpisode(both)).toHaveLength(1)
})

test('alerts of Vedette itself are apart from those of checks', () => {
  expect(told([sent(null, 'ALERT_SYSTEM'), sent('shop', 'ALERT_FAILURE')])).toHaveLength(2)
})

import { expect, test } from 'vitest'
import type { Trouble } from '../../../trouble.ts'
import type { ChannelMessage } from '../channel-kind.ts'
import { renderEmail } from './render.ts'
import { messageOf, systemAlerts, type SystemAlert } from '../../system/system-alert.ts'

const trouble: Trouble = {
  key: 'LOCATION_WITHOUT_AGENT eu-west-1',
  code: 'LOCATION_WITHOUT_AGENT',
  severity: 'warning',
  subject: 'Ireland',
  accountId: null,
  location: 'eu-west-1',
  title: 'No agent serves Ireland',
  over: 'An agent serves Ireland again',
  text: 'No agent of Ireland has been heard from for 2 minutes: checks do not run there.',
  advice: 'Start an agent there.',
  since: Date.UTC(2026, 0, 5, 11, 58),
}

function mailOf(type: SystemAlert['type']) {
  const open = { id: '11111111-2222-4333-8444-555555555555', trouble }
  const [alert] = systemAlerts([open], { type, decidedAt: Date.UTC(2026, 0, 5, 12) }, [
    { id: 'account', isOperator: false },
  ])
  if (alert === undefined) throw new Error('There is no alert.')
  const message: ChannelMessage = {
    notificationId: 'n',
    attempt: 1,
    alert: messageOf(alert),
    location: null,
    variables: {},
    baseUrl: 'https://v.example',
  }
  return renderEmail(message, 'ops@example.org')
}

test('an e-mail says what is wrong with Vedette, since when and what to do', () => {
  const { subject, text, threadId } = mailOf('ALERT_SYSTEM')
  expect(subject).toBe('[VEDETTE] Vedette: No agent serves Ireland')
  expect(text).toContain('What: No agent of Ireland has been heard from for 2 minutes')
  expect(text).toContain('Where: Ireland')
  expect(text).toMatch(/Since: .*11:58/)
  expect(text).toContain('What to do: Start an agent there.')
  expect(text).toContain('See agents and locations: https://v.example/settings')
  expect(text).not.toContain('/checks/')
  expect(mailOf('ALERT_SYSTEM_RECOVERY')).toMatchObject({ threadId })
})

test('and its end says how long it lasted', () => {
  const { subject, text } = mailOf('ALERT_SYSTEM_RECOVERY')
  expect(subject).toBe('[RECOVERED] Vedette: An agent serves Ireland again')
  expect(text).toMatch(/Since: .*11:58/)
  expect(text).toMatch(/Over since: .*12:00/)
  expect(text).not.toContain('What to do')
})

import type { Health } from '@vedette/wire'
import { expect, test } from 'vitest'
import { signalOf } from './signal-view.ts'

const trouble = (code: Health['troubles'][number]['code'], title: string, severity: 'critical' | 'warning') => ({
  code,
  severity,
  subject: 'Vedette',
  title,
  text: '',
  advice: '',
  reason: null,
  since: '2026-01-05T12:00:00.000Z',
})
const read = (...troubles: Health['troubles']) => ({
  data: { troubles } as Health,
  error: null,
  dataUpdatedAt: 1,
})

test('a page that hears the server, of a Vedette that is well, is live', () => {
  expect(signalOf('live', read())).toEqual({ tone: 'ok', text: 'Live' })
  expect(signalOf('delayed', read())).toEqual({ tone: 'degraded', text: 'Delayed' })
})

test('being cut off comes before all else, since nothing else is known then', () => {
  expect(signalOf('lost', read(trouble('NO_AGENT', 'No agent is connected', 'critical')))).toEqual({
    tone: 'failing',
    text: 'Cut off from the server',
  })
})

test('the worst trouble is named, with how many there are besides', () => {
  const both = read(
    trouble('NOTIFICATIONS_NOT_SENT', 'Notifications are not sent', 'critical'),
    trouble('DISK_NEARLY_FULL', 'The disk is nearly full', 'warning'),
  )
  expect(signalOf('live', both)).toEqual({ tone: 'failing', text: 'Deliveries fail, and 1 more' })
})

test('a health that cannot be read is not a good one', () => {
  const unread = { ...read(), error: new Error('The server did not answer') }
  expect(signalOf('live', unread).tone).toBe('unknown')
})

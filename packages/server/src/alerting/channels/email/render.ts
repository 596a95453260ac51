import { escapeHtml } from '@vedette/checks/template'
import { alertTitle, moodOf, type AlertMood } from '../../notifications/alert-wording.ts'
import { whenText } from '../../when-text.ts'
import type { ChannelMessage } from '../channel-kind.ts'
import { resultLink } from '../variables.ts'

export interface RenderedEmail {
  to: string
  /** Same for every attempt: mail systems drop duplicates. */
  messageId: string
  /** Groups all messages of one check; absent for a message that stands alone. */
  threadId?: string
  subject: string
  text: string
  html: string
}

const labels: Record<AlertMood, { word: string; colour: string }> = {
  failing: { word: 'FAILING', colour: '#b42318' },
  degraded: { word: 'DEGRADED', colour: '#935f00' },
  recovered: { word: 'RECOVERED', colour: '#067647' },
  certificate: { word: 'CERTIFICATE', colour: '#935f00' },
  unwatched: { word: 'NOT WATCHED', colour: '#935f00' },
  watched: { word: 'WATCHED AGAIN', colour: '#067647' },
  system: { word: 'VEDETTE', colour: '#b42318' },
}

export function renderEmail(message: ChannelMessage, to: string): RenderedEmail {
  const { alert, notificationId } = message
  const label = labels[moodOf(alert)]
  const title = alertTitle(alert)
  const facts = factsOf(message)
  const link = resultLink(message)
  const see = alert.system ? 'See agents and locations' : 'See the result'
  return {
    to,
    messageId: `<${notificationId}@vedette>`,
    threadId: `<${alert.checkId}@vedette>`,
    subject: `[${label.word}] ${subjectOf(message)}`,
    text: textOf(title, facts, link, see),
    html: htmlOf({ title, facts, link, see, ...label }),
  }
}

const subjectOf = ({ alert }: ChannelMessage): string =>
  alert.certificate || alert.system
    ? oneLine(alertTitle(alert))
    : `${oneLine(alert.checkName)}${alert.reminder > 0 ? ` (reminder ${alert.reminder})` : ''}`

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

type Fact = readonly [name: string, value: string]

function factsOf(message: ChannelMessage): Fact[] {
  const { alert } = message
  const facts: (Fact | undefined)[] = [
    alert.cause === null ? undefined : ['What', alert.cause],
    ...(alert.system ? troubleOf(alert) : alert.certificate ? sightingOf(message) : runOf(message)),
    alert.acknowledgedBy ? ['Acknowledged by', alert.acknowledgedBy] : undefined,
    alert.tags.length === 0 ? undefined : ['Tags', alert.tags.join(', ')],
    alert.description ? ['About', alert.description] : undefined,
  ]
  return facts.filter((fact) => fact !== undefined)
}

type Alert = ChannelMessage['alert']

const seenAt = (alert: Alert): string => whenText(alert.startedAt ?? alert.resultDueAt)

const sightingOf = ({ alert, location }: ChannelMessage): Fact[] => [
  ['Check', alert.checkName],
  ['Last seen', location === null ? seenAt(alert) : `${seenAt(alert)}, from ${location.name}`],
]

const isOver = (alert: Alert): boolean => ['recovered', 'watched'].includes(moodOf(alert))
const troubleOf = (alert: Alert): (Fact | undefined)[] => [
  ['Where', alert.checkName],
  alert.stateSince === null ? undefined : ['Since', whenText(alert.stateSince)],
  moodOf(alert) === 'recovered'
    ? ['Over since', whenText(alert.decidedAt)]
    : ['What to do', alert.system?.advice ?? ''],
]

function runOf({ alert, location }: ChannelMessage): (Fact | undefined)[] {
  return [
    location === null ? undefined : ['Where', location.name],
    ['When', seenAt(alert)],
    alert.stateSince === null ? undefined : [isOver(alert) ? 'Trouble since' : 'Since', whenText(alert.stateSince)],
    alert.responseMs === null ? undefined : ['Response time', `${Math.round(alert.responseMs)} ms`],
    alert.statusCode === null ? undefined : ['Status', String(alert.statusCode)],
    isOver(alert) ? undefined : ['Last good', alert.lastPassAt === null ? 'never' : whenText(alert.lastPassAt)],
  ]
}

function textOf(title: string, facts: readonly Fact[], link: string, see: string): string {
  const lines = facts.map(([name, value]) => `${name}: ${oneLine(value)}`)
  return [oneLine(title), '', ...lines, '', `${see}: ${link}`, ''].join('\n')
}

interface Page {
  title: string
  facts: readonly Fact[]
  link: string
  /** What the link leads to. */
  see: string
  word: string
  colour: string
}

function htmlOf(page: Page): string {
  const rows = page.facts.map(
    ([name, value]) =>
      `<tr><td style="padding:4px 16px 4px 0;color:#57606a;vertical-align:top;white-space:nowrap">${escapeHtml(name)}</td>` +
      `<td style="padding:4px 0">${escapeHtml(value)}</td></tr>`,
  )
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<title>${escapeHtml(page.title)}</title></head>`,
    '<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1f2328;background:#ffffff">',
    `<p style="margin:0 0 8px;font-weight:700;color:${page.colour}">${page.word}</p>`,
    `<h1 style="margin:0 0 16px;font-size:20px">${escapeHtml(page.title)}</h1>`,
    `<table role="presentation" style="border-collapse:collapse;margin:0 0 24px">${rows.join('')}</table>`,
    `<p style="margin:0"><a href="${escapeHtml(page.link)}" style="color:#0550ae">${page.see}</a></p>`,
    '</body></html>',
  ].join('\n')
}

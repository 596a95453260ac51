import type { Trouble } from '../../trouble.ts'

/** More than these are counted instead of named. */
const mostTitles = 5
const mostTexts = 20

/** What one message says of troubles that are told together. */
export function foldTroubles(troubles: readonly Trouble[]): Trouble {
  const [first] = troubles
  if (first === undefined) throw new Error('There is no trouble to tell.')
  if (troubles.length === 1) return first
  const each = (read: (trouble: Trouble) => string | null | undefined) =>
    [...new Set(troubles.map(read))].filter((text) => typeof text === 'string')
  const titles = each(({ title }) => title)
  const overs = each(({ over }) => over)
  const texts = each(({ text }) => text)
  const reasons = each(({ reason }) => reason)
  return {
    ...first,
    subject: 'Vedette',
    location: null,
    title: listOf(titles, '; ', mostTitles),
    over: listOf(overs, '; ', mostTitles),
    text: listOf(texts, ' ', mostTexts),
    reason: reasons.length === 0 ? null : listOf(reasons, '; ', mostTexts),
    advice: each(({ advice }) => advice).join(' '),
    since: Math.min(...troubles.map(({ since }) => since)),
  }
}

function listOf(texts: readonly string[], separator: string, most: number): string {
  const left = texts.length - most
  const shown = texts.slice(0, most).join(separator)
  return left > 0 ? `${shown}${separator}and ${left} more` : shown
}

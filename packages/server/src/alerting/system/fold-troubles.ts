import type { Trouble } from '../../trouble.ts'

/** More than these are counted instead of named. */
const mostTitles = 5
const mostTexts = 20

/** What one message says of troubles that are told together. */
export function foldTroubles(troubles: readonly Trouble[]): Trouble {
  const [first] = troubles
  if (first === undefined) throw new Error('There is no trouble to tell.')
  if (troubles.length === 1) return first
  const each = (read: (trouble: Trouble) => string) => [...new Set(troubles.map(read))]
  return {
    ...first,
    subject: 'Vedette',
    location: null,
    title: listOf(
      each(({ title }) => title),
      '; ',
      mostTitles,
    ),
    over: listOf(
      each(({ over }) => over),
      '; ',
      mostTitles,
    ),
    text: listOf(
      each(({ text }) => text),
      ' ',
      mostTexts,
    ),
    advice: each(({ advice }) => advice).join(' '),
    since: Math.min(...troubles.map(({ since }) => since)),
  }
}

function listOf(texts: readonly string[], separator: string, most: number): string {
  const left = texts.length - most
  const shown = texts.slice(0, most).join(separator)
  return left > 0 ? `${shown}${separator}and ${left} more` : shown
}

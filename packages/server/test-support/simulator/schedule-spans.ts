import type { Chronicle, Span } from './chronicle.ts'
import type { History } from './history.ts'
import { simCheckOf, type SimCheck } from './sim-checks.ts'

/** A check as it was for a while, by the clock of the servers. */
export interface CheckSpan extends Span {
  check: SimCheck
  activated: boolean
}

/** The definitions a check had one after another. */
export function spansOf(check: SimCheck, { startedAt }: Chronicle, { definitions }: History): CheckSpan[] {
  const own = definitions.filter(({ checkId }) => checkId === check.id)
  if (own.length < 2) return [{ check, activated: true, from: startedAt, to: Infinity }]
  return own.map(({ definition, from }, at) => ({
    check: simCheckOf(definition, check),
    activated: definition['activated'] !== false,
    from: at === 0 ? startedAt : from,
    to: own[at + 1]?.from ?? Infinity,
  }))
}

/** True when notifications of the check are as simple as its subscription: one for each alert, or none. */
export const isSteadilyNotified = (spans: readonly CheckSpan[]): boolean =>
  spans.every(({ check }) => check.muted === spans[0]?.check.muted)

/** The spans joined where they overlap, in order. */
export function union(spans: readonly Span[]): Span[] {
  const joined: Span[] = []
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else joined.push({ ...span })
  }
  return joined
}

export const extended = (spans: readonly Span[], beforeMs: number, afterMs: number): Span[] =>
  spans.map(({ from, to }) => ({ from: from - beforeMs, to: to + afterMs }))

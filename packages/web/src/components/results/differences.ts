import { fillTemplate, valueAt, type ResultPart, type ResultSection } from '@vedette/checks'
import { durationText } from '../time/format-time.ts'
import { measuredText } from './measured-text.ts'
import { parsedJson } from './parsed-json.ts'

/** What one run has and another has not. */
export interface Difference {
  /** Part of the result: "Response", "Where the time went". */
  section: string
  /** What differs in it: a header, a phase. Empty when the section has one thing alone. */
  name: string
  was: string | undefined
  is: string | undefined
}

/** Durations differ by chance; only a change that somebody would notice is told. */
const leastMs = 20
const leastFactor = 1.5
const shownText = 300

/** What differs between two results of a type, part by part as its page shows them. */
export function differences(view: readonly ResultSection[], before: unknown, now: unknown): Difference[] {
  return view.flatMap(({ title, parts }) =>
    parts.flatMap((part) => ofPart(part, before, now).map((difference) => ({ section: title, ...difference }))),
  )
}

type Found = Omit<Difference, 'section'>

function ofPart(part: ResultPart, before: unknown, now: unknown): Found[] {
  switch (part.kind) {
    case 'line':
      return part.spans.flatMap(({ text }) => changed('', fillTemplate(text, before), fillTemplate(text, now)))
    case 'facts':
      return part.facts.flatMap(({ label, path, unit }) =>
        unit === 'ms'
          ? ofDurations(label, valueAt(before, path), valueAt(now, path))
          : changed(label, shownAt(before, path, unit), shownAt(now, path, unit)),
      )
    case 'keyValues':
      return ofRecords(recordAt(before, part.path), recordAt(now, part.path))
    case 'text':
      return ofTexts(part.tab ?? '', textAt(before, part.path), textAt(now, part.path))
    case 'phases':
      return ofPhases(part, recordAt(before, part.path), recordAt(now, part.path))
    default:
      return []
  }
}

function changed(name: string, was: string | undefined, is: string | undefined): Found[] {
  return was === is ? [] : [{ name, was, is }]
}

/** Headers that differ in every answer say nothing. */
const restless =
  /^(date|age|etag|expires|last-modified|set-cookie|x-request-id|cf-ray|traceparent|x-amz-.*|report-to|nel)$/i

function ofRecords(before: Record<string, unknown>, now: Record<string, unknown>): Found[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => !restless.test(name))
  return names.flatMap((name) => changed(name, textOf(before[name]), textOf(now[name])))
}

function ofPhases(
  { phases, total }: Extract<ResultPart, { kind: 'phases' }>,
  before: Record<string, unknown>,
  now: Record<string, unknown>,
): Found[] {
  return [...phases, { name: total, label: 'Total' }].flatMap(({ name, label }) =>
    ofDurations(label, before[name], now[name]),
  )
}

function ofDurations(name: string, was: unknown, is: unknown): Found[] {
  if (typeof was !== 'number' || typeof is !== 'number') return []
  const isNoticed = Math.abs(is - was) >= leastMs && Math.max(is, was) >= leastFactor * Math.min(is, was)
  return isNoticed ? [{ name, was: durationText(was), is: durationText(is) }] : []
}

/** The first line in which two texts differ, with its number. */
function ofTexts(name: string, was: string | undefined, is: string | undefined): Found[] {
  if (was === is) return []
  if (was === undefined || is === undefined) return [{ name, was: cut(was), is: cut(is) }]
  const [before, now] = [laidOut(was).split('\n'), laidOut(is).split('\n')]
  const at = now.findIndex((line, index) => line !== before[index])
  const line = at === -1 ? now.length : at
  return [{ name: `${name}, line ${line + 1}`.replace(/^, l/, 'L'), was: cut(before[line]), is: cut(now[line]) }]
}

/** JSON on one line would differ as a whole: it is compared as it is laid out. */
function laidOut(text: string): string {
  const json = parsedJson(text)
  return json === undefined ? text : JSON.stringify(json, null, 2)
}

const cut = (text: string | undefined) => text?.trim().slice(0, shownText)

function shownAt(of: unknown, path: string, unit: Parameters<typeof measuredText>[1]): string | undefined {
  const value = valueAt(of, path)
  return value === undefined || value === null ? undefined : String(measuredText(value, unit))
}

const textOf = (value: unknown): string | undefined =>
  value === undefined || typeof value === 'string' ? value : JSON.stringify(value)

const textAt = (of: unknown, path: string): string | undefined => {
  const value = valueAt(of, path)
  return typeof value === 'string' ? value : undefined
}

function recordAt(of: unknown, path: string): Record<string, unknown> {
  const value = valueAt(of, path)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

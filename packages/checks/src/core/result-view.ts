import { valueAt } from './value-at.ts'

/** Units of measured numbers. */
export type Unit = 'ms' | 'percent' | 'count' | 'score'

/**
 * A titled part of a result's page. All paths are dotted and start at the type-specific part of the result (the value
 * of its `resultKey`); within `items` they start at one item. What the result does not have is left out.
 */
export interface ResultSection {
  title: string
  parts: readonly ResultPart[]
  /**
   * Path of the value that the section describes. When the result has no such value, `otherwise` is shown, or nothing.
   */
  about?: string
  otherwise?: ResultAbsence
}

/** Shown in place of a section: the message at `troublePath` where the result has one, else `text`. */
export interface ResultAbsence {
  text: string
  /** Path of the target's trouble that explains why the value is missing. */
  troublePath?: string
}

/**
 * A part of a section, rendered by its kind. Parts with a `tab` stand in tabs of that name, below the others. `source`: the
 * assertion source of the type that reads these values; beside a form, a click on one makes an assertion of it.
 */
export type ResultPart = { tab?: string } & (
  | { kind: 'line'; spans: readonly LineSpan[] }
  | { kind: 'facts'; facts: readonly ResultFact[] }
  /** A record of names and texts. `nothing` is shown when it is empty. */
  | { kind: 'keyValues'; path: string; nothing: string; source?: string }
  /** A longer text as it is. `nothing` is shown when it is empty; without it an empty text is left out. */
  | { kind: 'text'; path: string; nothing?: string; truncatedPath?: string; source?: string }
  /** The list of `AssertionOutcome`. */
  | { kind: 'assertions'; path: string }
  /** A record of durations in milliseconds, one after the other, and their total; `beside` are no part of it. */
  | { kind: 'phases'; path: string; phases: readonly PhaseLabel[]; total: string; beside?: readonly PhaseLabel[] }
  /** A list of records, one row each. */
  | { kind: 'table'; path: string; columns: readonly ResultFact[]; nothing: string }
  /** A list of records with parts of their own: pages of a browser, steps of a script. `title` is a template. */
  | { kind: 'items'; path: string; title: string; parts: readonly ResultPart[]; nothing: string }
)

/** Text with paths in braces: `{request.method} {request.url}`. A span is left out when one of its paths is missing. */
export interface LineSpan {
  text: string
  look: 'code' | 'strong' | 'soft'
  /** The assertion source that reads the value at `sourcePath`. */
  source?: string
  sourcePath?: string
}

export interface ResultFact {
  label: string
  path: string
  /** `moment`: the value is a time in ISO 8601. */
  unit?: Unit | 'moment'
}

export interface PhaseLabel {
  name: string
  label: string
  /** It is what the others leave of the total, so it has no place in their order. */
  isRest?: boolean
}

const placeholder = /\{([^{}]+)\}/g

/** The paths that a template names. */
export const pathsOfTemplate = (template: string): string[] =>
  [...template.matchAll(placeholder)].map(([, path = '']) => path)

/**
 * A template filled from a result; `undefined` when the result lacks one of its paths. Spaces at the ends are dropped.
 */
export function fillTemplate(template: string, result: unknown): string | undefined {
  const isMissing = (path: string) => (valueAt(result, path) ?? null) === null
  if (pathsOfTemplate(template).some(isMissing)) return undefined
  return template.replaceAll(placeholder, (_, path: string) => String(valueAt(result, path))).trim()
}

/** The phases of a run that a result shows, in the order they happen. Each is a metric of its name. */
export const phasesOf = (view: readonly ResultSection[]): readonly PhaseLabel[] =>
  view.flatMap(({ parts }) => parts).flatMap((part) => (part.kind === 'phases' ? part.phases : []))

import { cutText } from '../storable.ts'
import type { z } from 'zod'

type Issue = z.core.$ZodIssue
type Holder = Record<PropertyKey, unknown>

/** What stands for a field of a report whose value is not valid. A verdict without an outcome has no such value. */
const neutral: Record<string, unknown> = {
  startedAt: null,
  stoppedAt: null,
  clockOffsetMs: 0,
  timingUncertaintyMs: 0,
  responseMs: null,
  statusCode: null,
  error: null,
  internalError: null,
  certificateNotAfter: null,
  metrics: {},
  result: {},
  replayed: false,
  retried: undefined,
}
const neutralInVerdict: Record<string, unknown> = {
  degraded: false,
  overMaxResponseTime: false,
  assertions: [],
  cause: '',
}

/**
 * Changes a report in place so that the issues do not come again. Too long texts and lists are cut, unknown fields and
 * unreadable entries left out, other fields emptied. Returns the first issue that nothing can repair.
 */
export function repairReport(report: Holder, issues: readonly Issue[]): Issue | undefined {
  for (const issue of issues) if (!repair(report, issue)) return issue
  for (const list of listsIn(report)) list.splice(0, Infinity, ...list.filter((item) => item !== removed))
  return undefined
}

/** Marks list items to leave out, so that the positions in later issues stay right. */
const removed = Symbol('removed')

function repair(report: Holder, issue: Issue): boolean {
  if (issue.code === 'unrecognized_keys') return dropKeys(holderAt(report, issue.path), issue.keys)
  if (issue.code === 'too_big' && cutToBound(report, issue)) return true
  const [field, part, entry] = issue.path.map(String)
  if (field === undefined) return false
  if (field === 'verdict') return repairVerdict(report.verdict as Holder, part, entry)
  if ((field === 'metrics' || field === 'result') && part !== undefined)
    return dropKeys(holderAt(report, [field]), [part])
  if (!Object.hasOwn(neutral, field)) return false
  report[field] = neutral[field]
  return true
}

function repairVerdict(verdict: Holder, part: string | undefined, entry: string | undefined): boolean {
  if (part === undefined || !Object.hasOwn(neutralInVerdict, part)) return false
  if (part === 'assertions' && entry !== undefined) (verdict.assertions as unknown[])[Number(entry)] = removed
  else verdict[part] = neutralInVerdict[part]
  return true
}

function cutToBound(report: Holder, { path, origin, maximum }: z.core.$ZodIssueTooBig): boolean {
  const holder = holderAt(report, path.slice(0, -1))
  const name = path.at(-1)
  const value = name === undefined ? undefined : holder?.[name]
  if (holder === undefined || name === undefined) return false
  if (origin === 'string' && typeof value === 'string') holder[name] = cutText(value, Number(maximum))
  else if (origin === 'array' && Array.isArray(value)) holder[name] = value.slice(0, Number(maximum))
  else return false
  return true
}

function dropKeys(holder: Holder | undefined, keys: readonly string[]): boolean {
  for (const key of keys) delete holder?.[key]
  return holder !== undefined
}

function holderAt(report: Holder, path: readonly PropertyKey[]): Holder | undefined {
  let value: unknown = report
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Holder)[step]
  }
  return typeof value === 'object' && value !== null ? (value as Holder) : undefined
}

const listsIn = ({ verdict }: Holder): unknown[][] => {
  const assertions = typeof verdict === 'object' && verdict !== null && 'assertions' in verdict && verdict.assertions
  return Array.isArray(assertions) ? [assertions] : []
}

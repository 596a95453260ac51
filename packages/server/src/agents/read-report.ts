import { reportFromV1, resultContent, type ResultContent } from '@vedette/wire'
import { z } from 'zod'
import { storableJson } from '../storable.ts'
import { repairReport } from './repair-report.ts'

/** What an agent reported: its content, or why it has none. */
export type ReadReport = { content: ResultContent } | { problem: string }

/** A number that a column of type `real` holds: it overflows at 3e38 and refuses what is smaller than 1e-45. */
const real = z.number().refine((value) => value === 0 || (Math.abs(value) > 1e-30 && Math.abs(value) < 1e30))
/** A moment that PostgreSQL reads as it is written: years have four digits. */
const moment = z.number().min(0).max(Date.parse('9999-12-31T23:59:59.999Z'))

const storableContent: z.ZodType<ResultContent> = resultContent.extend({
  startedAt: moment.nullable(),
  stoppedAt: moment.nullable(),
  certificateNotAfter: moment.nullable(),
  clockOffsetMs: real,
  timingUncertaintyMs: real.min(0),
  responseMs: real.min(0).nullable(),
})

/** A repair may uncover problems of what was not looked at before. */
const mostRepairs = 3

/**
 * Reads a report of any version of the protocol. Texts, numbers and evidence that cannot be stored are cut, emptied or
 * left out: they come from targets, and the verdict must survive them. A report without a verdict has no content.
 */
export function readReport(raw: object): ReadReport {
  const { lease: _, ...report } = storableJson(reportFromV1(raw)) as Record<string, unknown>
  for (let repairs = 0; ; repairs++) {
    const { data, error } = storableContent.safeParse(report)
    if (data) return { content: data }
    const left = repairs < mostRepairs ? repairReport(report, error.issues) : error.issues[0]
    if (left) return { problem: `"${left.path.join('.')}": ${left.message}` }
  }
}

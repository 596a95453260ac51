import type { ReportBody } from '@vedette/checks/run'
import { checkTypeOf, runModeOf } from '@vedette/checks'
import { jobSchema, type Job } from '@vedette/wire'
import { internalErrorReport } from '../delivery/report-text.ts'

/** Reads one job of a lease answer; a string says what is wrong with it. */
export function readJob(value: unknown): Job | string {
  const read = jobSchema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  return `${issue?.path.join('.') ?? 'job'}: ${issue?.message ?? 'unreadable'}`
}

/** Threads copy a job level by level, and a definition that people write has a dozen. */
const deepest = 200

/** Whether something nests deeper than a thread can be given it. */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return false
}

/** The report of a job that this agent cannot run; undefined when it can. */
export function unableToRun(job: Job, capabilities: readonly string[]): ReportBody | undefined {
  if (isTooDeep(job.definition))
    return internalErrorReport('AGENT_ERROR', `The definition of this check nests deeper than ${deepest} levels.`)
  const mode = runModeOf(checkTypeOf(job.type))
  if (mode === undefined) {
    return internalErrorReport(
      'UNKNOWN_CHECK_TYPE',
      `This agent does not know how to run ${job.type} checks: update it.`,
    )
  }
  try {
    const missing = mode.needs(job.definition).filter((need) => !capabilities.includes(need))
    if (missing.length === 0) return undefined
    return internalErrorReport('MISSING_CAPABILITY', `This agent lacks what the check needs: ${missing.join(', ')}.`)
  } catch (error) {
    // One definition that cannot be read must not lose the other jobs of its lease answer.
    const text = error instanceof Error ? error.message : String(error)
    return internalErrorReport('AGENT_ERROR', `The agent cannot read the definition of this check: ${text}.`)
  }
}

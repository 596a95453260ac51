import { systemClock, type Job, type JobVariable } from '@vedette/wire'
import { checkTypeOf, checkTypes, runModeOf } from './check-types.ts'
import { AssertionPool } from './core/assertions/assertion-pool.ts'
import type { AnyCheckType, Definition, Observation, Run, RunContext } from './core/check-type.ts'
import { evaluateObservation } from './core/assertions/evaluate.ts'
import { variablesOf } from './core/job-variables.ts'
import { internalErrorReport, reportOf, scrubberOf, type Findings, type ReportBody } from './core/report.ts'
import { restsOnTimeAlone, verdict } from './core/verdict.ts'
import { startTimes, type RunClock, type Times } from './core/run-clock.ts'
import type { Contact } from './net/egress/contact.ts'
import { credentialsOf } from './net/http/credentials.ts'
import { TargetError } from './net/target-error.ts'
import { TemplateProblem } from './template/template-problem.ts'
import { runnable } from './thread/runnable.ts'

export { AssertionPool } from './core/assertions/assertion-pool.ts'
export type { ReportBody } from './core/report.ts'
export { startTimes, type RunClock } from './core/run-clock.ts'
export type { Contact } from './net/egress/contact.ts'

/** What an agent passes to a job. `clock` tells server time; `signal` aborts when the result is no longer wanted. */
export interface JobContext {
  signal: AbortSignal
  clock: RunClock
  random(): number
  /** Hears of the connections to its target that a run tries. */
  tried?: (contact: Contact) => void
}

export interface JobRunnerOptions {
  pool: AssertionPool
  /** Loads the `run` of a type; by default from `run.ts` in its folder. */
  loadRun?: (type: AnyCheckType) => Promise<Run<Definition, unknown>>
}

/** A longer stall may have made a target look slow. Source: rule for runs that fail by time alone. */
const honestUncertaintyMs = 25
/** Time after its deadline at which a run counts as stuck, in milliseconds. */
const overdueGraceMs = 1000

/** What `run.ts` of a type exports. */
interface RunModule {
  run: Run<Definition, unknown>
  /** What this machine can do for the type and others may not, as agents announce it. */
  capabilities?: () => Promise<readonly string[]>
}

/** What was loaded: to import it again would cost a part of a millisecond with each run. */
const loaded = new Map<string, RunModule>()

async function loadModule({ path }: AnyCheckType): Promise<RunModule> {
  const known = loaded.get(path)
  if (known !== undefined) return known
  const entry = runnable(new URL(`./${path}/run.ts`, import.meta.url)).href
  const module = (await import(/* @vite-ignore */ entry)) as RunModule
  loaded.set(path, module)
  return module
}

const loadRunOfType = async (type: AnyCheckType) => (await loadModule(type)).run

/** What this machine can do for checks and others may not. */
export async function capabilitiesHere(): Promise<string[]> {
  const modules = await Promise.all(checkTypes.filter((type) => runModeOf(type) !== undefined).map(loadModule))
  return (await Promise.all(modules.map(async ({ capabilities }) => (await capabilities?.()) ?? []))).flat()
}

function failedObservation(error: unknown, times: Times): Observation<unknown> {
  const seen = { ...times, timingUncertaintyMs: 0 }
  if (error instanceof TemplateProblem) {
    return { ...seen, error: new TargetError('template', 'TEMPLATE', error.message, { network: false }).toObserved() }
  }
  const text = error instanceof Error ? error.message : String(error)
  return { ...seen, internalError: { code: 'INTERNAL', text: `The run failed on our side: ${text}`.slice(0, 2000) } }
}

/** Runs once. Whatever happens becomes an observation; a run that ignores its deadline is an internal error. */
async function observe(run: Run<Definition, unknown>, job: Job, context: RunContext): Promise<Observation<unknown>> {
  const { clock, deadline } = context
  const times = startTimes(clock)
  const overdue = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        overdue.abort()
        reject(new Error('it did not end by its deadline'))
      },
      Math.max(0, deadline - clock.monotonic()) + overdueGraceMs,
    )
  })
  try {
    const signal = AbortSignal.any([context.signal, overdue.signal])
    return await Promise.race([run(job.definition, { ...context, signal }), tooLong])
  } catch (error) {
    return failedObservation(error, times())
  } finally {
    clearTimeout(timer)
  }
}

/** User and password of the proxy, which may repeat them in an answer of its own. */
function proxySecrets({ proxy }: Job): JobVariable[] {
  const credentials = proxy !== undefined && URL.canParse(proxy) ? credentialsOf(new URL(proxy)) : undefined
  if (credentials === undefined) return []
  const parts = credentials.split(/:(.*)/s, 2).filter((part) => part !== '')
  return [credentials, ...parts].map((value) => ({ key: 'proxy', value, secret: true }))
}

type RunSecrets = Pick<RunContext, 'variables' | 'clientCertificates'>

/** Judges an observation: assertions, verdict, and everything scrubbed. */
async function judge(
  type: AnyCheckType,
  job: Job,
  seen: Observation<unknown>,
  { secrets, pool }: { secrets: RunSecrets; pool: AssertionPool },
): Promise<Findings> {
  const variables = [...secrets.variables, ...proxySecrets(job)]
  const scrubber = scrubberOf(type, job.definition, { ...secrets, variables }, seen.evidence)
  const observation = { ...seen }
  if (seen.error !== undefined) observation.error = { ...seen.error, text: scrubber.text(seen.error.text) }
  if (seen.internalError !== undefined)
    observation.internalError = { ...seen.internalError, text: scrubber.text(seen.internalError.text) }
  const lent = { owner: job.checkId, pool, scrubber }
  const outcomes =
    seen.internalError === undefined ? await evaluateObservation(type, job.definition, observation, lent) : []
  return { observation, verdict: verdict(type, job.definition, observation, outcomes), scrubber }
}

/** Whether a repeat would end before the deadline even if it took twice as long. */
const hasTimeToRepeat = ({ startedAt, stoppedAt }: Observation<unknown>, { deadline, clock }: RunContext) =>
  clock.monotonic() + 2 * (stoppedAt - startedAt) < deadline

/**
 * Makes the function that runs jobs from beginning to end: observe, evaluate, judge, scrub. Trouble of the target is an
 * error in the report, trouble of ours an internal error. It never rejects.
 */
export function createJobRunner({ pool, loadRun = loadRunOfType }: JobRunnerOptions) {
  const runScheduled = async (
    type: AnyCheckType,
    { job, run, context }: { job: Job; run: Run<Definition, unknown>; context: RunContext },
  ): Promise<ReportBody> => {
    const lent = { secrets: context, pool }
    let seen = await observe(run, job, context)
    let findings = await judge(type, job, seen, lent)
    const doubtful =
      seen.timingUncertaintyMs > honestUncertaintyMs &&
      restsOnTimeAlone(type, job.definition, findings.observation, findings.verdict)
    if (doubtful && !context.signal.aborted && hasTimeToRepeat(seen, context)) {
      seen = await observe(run, job, context)
      findings = await judge(type, job, seen, lent)
    }
    return reportOf(type, job.definition, findings)
  }

  return async (job: Job, lent: JobContext): Promise<ReportBody> => {
    const type = checkTypeOf(job.type)
    if (type === undefined || runModeOf(type) === undefined) {
      return internalErrorReport(job, 'UNKNOWN_CHECK_TYPE', 'This agent does not know how to run such checks')
    }
    const { signal, clock, tried } = lent
    const secrets: RunSecrets = { variables: variablesOf(job), clientCertificates: job.clientCertificates }
    const { egress, proxy } = job
    try {
      const run = await loadRun(type)
      // The time that loading takes is not the target's.
      const deadline = clock.monotonic() + job.timeoutMs
      const context = { signal, deadline, egress, proxy, ...secrets, clock, tried, random: () => lent.random() }
      return await runScheduled(type, { job, run, context })
    } catch (error) {
      const scrubber = scrubberOf(type, job.definition, secrets, undefined)
      const text = error instanceof Error ? error.message : String(error)
      return internalErrorReport(job, 'INTERNAL', scrubber.text(`The run failed on our side: ${text}`).slice(0, 1900))
    }
  }
}

const sharedPool = new AssertionPool({ clock: systemClock })

/** Runs a job with this process's assertion threads, which start when first needed. */
export const runJob = createJobRunner({ pool: sharedPool })

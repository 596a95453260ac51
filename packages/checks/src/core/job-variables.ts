import type { Job, JobVariable } from '@vedette/wire'

const builtIn = (key: string, value: string): JobVariable => ({ key, value, secret: false })

/** Variables a run sees, weakest first: built-in ones, those of the account, those of the check itself. */
export function variablesOf(job: Job): JobVariable[] {
  const own = job.definition.environmentVariables as JobVariable[] | null | undefined
  return [
    builtIn('CHECK_ID', job.checkId),
    builtIn('CHECK_NAME', job.checkName),
    builtIn('CHECK_TYPE', job.type),
    builtIn('CHECK_RESULT_ID', job.attemptId),
    builtIn('CHECK_RUN_ID', String(job.dueAt)),
    builtIn('REGION', job.location),
    ...job.variables,
    ...(own ?? []).map(({ key, value, secret }) => ({ key, value, secret })),
  ]
}

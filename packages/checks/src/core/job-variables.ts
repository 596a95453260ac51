import type { Job, JobVariable } from '@vedette/wire'

/** Where variables are set, weakest first: of a name that several levels set, the last of these counts. */
export const variableLevels = ['builtIn', 'account', 'group', 'check'] as const
export type VariableLevel = (typeof variableLevels)[number]

/** The variables of all levels that are in force, weakest first. A name hides those of the same name at weaker levels. */
export function variablesInForce<T extends { key: string }>(levels: Partial<Record<VariableLevel, readonly T[]>>): T[] {
  return variableLevels.flatMap((level, at) => {
    const stronger = new Set(
      variableLevels
        .slice(at + 1)
        .flatMap((other) => levels[other] ?? [])
        .map(({ key }) => key),
    )
    return (levels[level] ?? []).filter(({ key }) => !stronger.has(key))
  })
}

/** The variables that a definition itself sets. */
export function ownVariables({ environmentVariables }: Record<string, unknown>): JobVariable[] {
  if (!Array.isArray(environmentVariables)) return []
  return (environmentVariables as Partial<JobVariable>[]).flatMap(({ key, value, secret }) =>
    typeof key === 'string' && typeof value === 'string' ? [{ key, value, secret: secret === true }] : [],
  )
}

const builtIn = (key: string, value: string): JobVariable => ({ key, value, secret: false })

/** Variables a run sees. Those of the job are the account's and those of the check already. */
export const variablesOf = (job: Job): JobVariable[] =>
  variablesInForce({
    builtIn: [
      builtIn('CHECK_ID', job.checkId),
      builtIn('CHECK_NAME', job.checkName),
      builtIn('CHECK_TYPE', job.type),
      builtIn('CHECK_RESULT_ID', job.attemptId),
      builtIn('CHECK_RUN_ID', String(job.dueAt)),
      builtIn('REGION', job.location),
    ],
    account: job.variables,
    check: ownVariables(job.definition),
  })

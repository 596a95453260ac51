import type { Job, JobVariable } from '@vedette/wire'

/**
 * The levels at which variables are set, weakest first. Of variables with the same name, that of the last level counts.
 */
export const variableLevels = ['builtIn', 'account', 'group', 'check'] as const
export type VariableLevel = (typeof variableLevels)[number]

/** The variables in force, from all levels, weakest first. A variable hides those of the same name at weaker levels. */
export function variablesInForce<T extends { key: string }>(levels: Partial<Record<VariableLevel, readonly T[]>>): T[] {
  const kept: T[][] = []
  const stronger = new Set<string>()
  for (const level of variableLevels.toReversed()) {
    const own = levels[level]
    if (own === undefined || own.length === 0) continue
    kept.unshift(own.filter(({ key }) => !stronger.has(key)))
    for (const { key } of own) stronger.add(key)
  }
  return kept.flat()
}

/** The variables that are set in a definition itself. */
export function ownVariables({ environmentVariables }: Record<string, unknown>): JobVariable[] {
  if (!Array.isArray(environmentVariables)) return []
  return (environmentVariables as Partial<JobVariable>[]).flatMap(({ key, value, secret }) =>
    typeof key === 'string' && typeof value === 'string' ? [{ key, value, secret: secret === true }] : [],
  )
}

const builtIn = (key: string, value: string): JobVariable => ({ key, value, secret: false })

/** The variables of a run. `job.variables` already combines those of the account and of the check. */
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

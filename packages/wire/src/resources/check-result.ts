import { z } from 'zod'
import { observedError, observedInternalError } from '../agent.ts'
import { checkTypeNames, outcomes, resultTypes } from '../enums.ts'
import { agenticResultSchema } from './agentic-result.ts'
import { dateTime } from './answer-fields.ts'

/** Fields that every result has and that do not depend on its stored body. Times are milliseconds. */
const rowFields = {
  id: z.string(),
  resultType: z.enum(resultTypes).describe('FINAL is the result of a run, ATTEMPT one of its retried attempts.'),
  name: z.string().describe('Name of the check.'),
  checkId: z.string(),
  checkType: z.enum(checkTypeNames),
  hasFailures: z.boolean(),
  hasErrors: z.boolean().describe('The run could not be judged; the trouble was on our side.'),
  isDegraded: z.boolean().nullable(),
  isCancelled: z.boolean(),
  overMaxResponseTime: z.boolean().nullable(),
  runLocation: z.string().nullable().describe('null for results of passive checks, which run nowhere.'),
  startedAt: dateTime.nullable().describe('null when the run never started.'),
  stoppedAt: dateTime.nullable(),
  dueAt: dateTime.describe('When the run was due, by the server clock.'),
  created_at: dateTime,
  responseTime: z.number().nullable().describe('Milliseconds; null when nothing was measured.'),
  checkRunId: z.number(),
  attempts: z.int().describe('Retries before this result.'),
  sequenceId: z.string().nullable().describe('Shared by the attempts of one run.'),
  errorGroupIds: z.array(z.string()).nullable(),
  cause: z.string().nullable().describe('Why it failed or degraded, in one sentence.'),
  emulatedLocation: z.boolean().describe('The built-in agent stood in for this location.'),
  outcome: z.enum(outcomes).describe('unknown: the trouble was on our side, the run says nothing about the target.'),
  runSource: z.string().describe('What the run was started by.'),
  revision: z.int().describe('Revision of the check that was run.'),
  late: z.boolean().describe('It arrived after newer results and alerted nobody.'),
  timingUncertaintyMs: z.number().describe('How far measured times may be off, in milliseconds.'),
}

/** Fields that are read from the stored body of a result, besides the type-specific parts. */
const bodyFields = {
  error: observedError.nullable().describe('Trouble with the target, if it gave no proper answer.'),
  internalError: observedInternalError.nullable().describe('Trouble of ours, for which the run says nothing.'),
  metrics: z.record(z.string(), z.number()).describe('Measured numbers by name, as the check type lists them.'),
}

/** A part whose fields the contract does not list. */
const anyPart = (of: string) =>
  z.record(z.string(), z.unknown()).nullable().describe(`Of ${of} checks; null for others.`)

/** Type-specific parts that every result has, until a check type that is built says more. Source: contract, "Check result". */
const contractParts = {
  apiCheckResult: anyPart('API'),
  browserCheckResult: anyPart('browser'),
  multiStepCheckResult: anyPart('multi-step'),
  agenticCheckResult: agenticResultSchema.nullable(),
}
type ContractParts = typeof contractParts

/** Schemas of type-specific parts by the key under which they stand in a result. */
export type ResultPartSchemas = Readonly<Record<string, z.ZodType>>
type PartFields<Parts extends ResultPartSchemas> = { [Key in keyof Parts]: z.ZodNullable<Parts[Key]> }
type AllParts<Parts extends ResultPartSchemas> = Omit<ContractParts, keyof Parts> & PartFields<Parts>

function partFields<Parts extends ResultPartSchemas>(parts: Parts): AllParts<Parts> {
  const built = Object.entries(parts).map(([key, schema]) => [key, schema.nullable()] as const)
  return { ...contractParts, ...Object.fromEntries(built) } as unknown as AllParts<Parts>
}

/**
 * The type-specific parts of a result, for the check types that are built. That of its own type is filled, the others
 * are null.
 */
export const typePartsSchema = <Parts extends ResultPartSchemas>(parts: Parts) => z.object(partFields(parts))

/**
 * One result as the API answers it, with these type-specific parts. Source: contract, "Check result"; `dueAt`, `cause`,
 * what follows it and the fields after the parts are additions.
 */
export const checkResultSchema = <Shape extends z.ZodRawShape>(typeParts: z.ZodObject<Shape>) =>
  z.object({ ...rowFields, ...typeParts.shape, ...bodyFields })

/** Whether a field is read from the stored body of a result. */
export const isBodyField = (field: string): boolean => !Object.hasOwn(rowFields, field)

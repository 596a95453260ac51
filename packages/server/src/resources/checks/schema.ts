import { checkTypes, createSchema, responseSchema, updateSchema, type AnyCheckType } from '@vedette/checks'
import { checkStates, checkTypeNames } from '@vedette/wire'
import { z } from 'zod'
import { pageQuery } from '../../http/schemas/paging.ts'
import { booleanParam, listParam } from '../../http/schemas/query.ts'
import { writtenByHand, writerOf } from '../../http/schemas/serializer.ts'
import type { CheckAnswer } from './to-check.ts'

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The schemas of one check type's routes. */
const schemasOf = (type: AnyCheckType) => {
  const response = responseSchema(type).meta({ id: `${capitalised(type.path)}Check` })
  return { type, create: createSchema(type), update: updateSchema(type), response, write: writerOf(response) }
}
export type TypeSchemas = ReturnType<typeof schemasOf>

/** One entry for each check type that is built. */
export const typeSchemas: readonly TypeSchemas[] = checkTypes.map(schemasOf)

const writers = new Map<string, (data: unknown) => string>(typeSchemas.map(({ type, write }) => [type.type, write]))

/** The JSON of a check, by the schema of its type. */
export function writeCheck(check: CheckAnswer): string {
  const write = writers.get(check.checkType)
  if (!write) throw new Error(`No check type ${check.checkType} is built`)
  return write(check)
}

const [first, ...others] = typeSchemas.map(({ response }) => response)
if (!first) throw new Error('No check type is built')
export const anyCheck = writtenByHand(z.union([first, ...others]).meta({ id: 'Check' }))
export const checkList = writtenByHand(z.array(anyCheck))

export const autoAssignOnCreate = z.strictObject({
  autoAssignAlerts: booleanParam()
    .default(true)
    .meta({ default: true, description: 'Subscribe the new check to every alert channel the account has.' }),
})
export const autoAssignOnUpdate = z.strictObject({
  autoAssignAlerts: booleanParam().optional().describe('true: subscribe the check to every alert channel.'),
})

export const listQuery = z.strictObject({
  ...pageQuery,
  tag: listParam(z.string()).optional().describe('Checks with at least one of the tags.'),
  checkType: z.enum(checkTypeNames).optional(),
  search: z.string().min(1).max(255).optional().describe('Part of the name, or of the id.'),
  apiCheckUrlFilterPattern: z.string().min(1).max(2048).optional().describe('Part of the address of an API check.'),
  status: z.enum(checkStates).optional().describe('How the check is now.'),
  applyGroupSettings: booleanParam().optional().describe('Answer with the settings of the group where it sets them.'),
})

export const dryRunQuery = z.strictObject({
  location: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Where to run, a region or a private location; the first location of the check when not sent.'),
  checkId: z.guid().optional().describe('Check whose secrets stand behind masks in the body.'),
})

import { checkTypes, createSchema, responseSchema, type AnyCheckType } from '@vedette/checks'
import { checkStates, checkTypeNames, uuidOf } from '@vedette/wire'
import { z } from 'zod'
import { pageQuery } from '../../http/schemas/paging.ts'
import { booleanParam, listParam } from '../../http/schemas/query.ts'
import { parsedByRoute } from '../../http/schemas/validation.ts'
import { writtenByHand, writerOf } from '../../http/schemas/serializer.ts'
import { updateSchemaOf } from './definition/update-fields.ts'
import type { CheckAnswer } from './to-check.ts'

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The schemas of one check type's routes. */
const schemasOfType = (type: AnyCheckType) => {
  const response = responseSchema(type).meta({ id: `${capitalised(type.path)}Check` })
  const [create, update] = [createSchema(type), updateSchemaOf(type)]
  const named = z.literal(type.type).describe('Type of the check.')
  const kept = z.literal(type.type, { error: `cannot be changed: the check is of type ${type.type}` })
  const example = { checkType: type.type, ...type.example }
  return {
    type,
    example,
    create,
    update,
    /** The same bodies where the path does not name the type. */
    createOfNamedType: create.extend({ checkType: named }).meta({ examples: [example] }),
    updateOfSameType: update
      .extend({ checkType: kept.optional().describe('Type of the check. Never changes.') })
      .meta({ examples: [example] }),
    response,
    write: writerOf(response),
  }
}
export type TypeSchemas = ReturnType<typeof schemasOfType>

/** One entry for each check type that is built. */
export const typeSchemas: readonly TypeSchemas[] = checkTypes.map(schemasOfType)

export function schemasOf(checkType: string): TypeSchemas {
  const found = typeSchemas.find(({ type }) => type.type === checkType)
  if (!found) throw new Error(`No check type ${checkType} is built`)
  return found
}

const writers = new Map<string, (data: unknown) => string>(typeSchemas.map(({ type, write }) => [type.type, write]))

/** The JSON of a check, by the schema of its type. */
export function writeCheck(check: CheckAnswer): string {
  const write = writers.get(check.checkType)
  if (!write) throw new Error(`No check type ${check.checkType} is built`)
  return write(check)
}

type AtLeastOne<T> = [T, ...T[]]
const ofTypes = <T>(pick: (schemas: TypeSchemas) => T): AtLeastOne<T> => typeSchemas.map(pick) as AtLeastOne<T>

export const anyCheck = writtenByHand(z.union(ofTypes(({ response }) => response)).meta({ id: 'Check' }))
const examples = [schemasOf('API').example]
export const anyCreate = z
  .discriminatedUnion(
    'checkType',
    ofTypes(({ createOfNamedType }) => createOfNamedType),
  )
  .meta({ examples })
export const anyUpdate = parsedByRoute(z.union(ofTypes(({ updateOfSameType }) => updateOfSameType)).meta({ examples }))
export const checkList = writtenByHand(z.array(anyCheck))

export const autoAssignOnCreate = z.strictObject({
  autoAssignAlerts: booleanParam()
    .default(true)
    .meta({ default: true, description: 'Subscribe the new check to every alert channel the account has.' }),
})
export const autoAssignOnUpdate = z.strictObject({
  autoAssignAlerts: booleanParam().optional().describe('true: subscribe the check to every alert channel.'),
})

const applyGroupSettings = booleanParam()
  .default(false)
  .meta({ default: false, description: 'Answer with the settings of the group where they count.' })

export const readQuery = z.strictObject({
  applyGroupSettings,
  includeDependencies: booleanParam()
    .default(true)
    .meta({ default: true, description: 'false: leave out the files that a script imports.' }),
})

export const listQuery = z.strictObject({
  ...pageQuery,
  tag: listParam(z.string()).optional().describe('Checks with at least one of the tags.'),
  checkType: z.enum(checkTypeNames).optional(),
  search: z.string().min(1).max(255).optional().describe('Part of the name, or of the id.'),
  apiCheckUrlFilterPattern: z.string().min(1).max(2048).optional().describe('Part of the address of an API check.'),
  status: z.enum(checkStates).optional().describe('How the check is now.'),
  applyGroupSettings,
})

export const dryRunQuery = z.strictObject({
  location: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Where to run, a region or a private location; the first location of the check when not sent.'),
  checkId: uuidOf('a check').optional().describe('Check whose secrets stand behind masks in the body.'),
})

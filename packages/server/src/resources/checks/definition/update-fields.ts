import { fieldProblems } from '@vedette/wire'
import { checkTypes, updateSchema, type AnyCheckType } from '@vedette/checks'
import type { z } from 'zod'
import { invalid } from '../../../api-error.ts'

const schemas = new Map(checkTypes.map((type) => [type.type, updateSchema(type)]))

/** What may be sent to change a check of the type. */
export function updateSchemaOf({ type }: AnyCheckType): ReturnType<typeof updateSchema> {
  const schema = schemas.get(type)
  if (!schema) throw new Error(`No check type ${type} is built`)
  return schema
}

/** The fields, if they may be sent. Throws a 400 naming what is wrong. */
export function validFields(type: AnyCheckType, fields: Record<string, unknown>): Record<string, unknown> {
  const schema: z.ZodType<Record<string, unknown>> = updateSchemaOf(type)
  const { data, error } = schema.safeParse(fields, { reportInput: true })
  if (error) throw invalid(fieldProblems(error.issues, type.secretPaths))
  return data
}

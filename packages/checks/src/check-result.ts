import { checkResultSchema, typePartsSchema } from '@vedette/wire'
import { z } from 'zod'
import { checkTypes, type BuiltCheckType } from './check-types.ts'

type ResultKey = NonNullable<BuiltCheckType['resultKey']>
type PartOf<Key extends ResultKey> = z.infer<Extract<BuiltCheckType, { resultKey: Key }>['resultSchema']>
type PartSchemas = { [Key in ResultKey]: z.ZodType<PartOf<Key>> }

/** The schema of what stands under each key; types that share a key are its alternatives. */
function partSchemas(): PartSchemas {
  const byKey: Record<string, z.ZodType> = {}
  for (const { resultKey, resultSchema } of checkTypes) {
    if (resultKey === null || resultSchema === null) continue
    const known = byKey[resultKey]
    byKey[resultKey] = known === undefined ? resultSchema : z.union([known, resultSchema])
  }
  return byKey as PartSchemas
}

/** The type-specific parts of a result. */
export const typeParts = typePartsSchema(partSchemas())
export type TypeParts = z.infer<typeof typeParts>

/** A result as the API answers it, exact for every check type that is built. */
export const checkResult = checkResultSchema(typeParts).meta({ id: 'CheckResult' })
export type CheckResult = z.infer<typeof checkResult>

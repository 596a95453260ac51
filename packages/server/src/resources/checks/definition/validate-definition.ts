import type { AnyCheckType, Definition } from '@vedette/checks'
import { validateWhole } from '@vedette/checks/rules'
import type { Queryable } from '../../../db/database.ts'
import { invalid } from '../../../api-error.ts'
import { referenceProblems, type References } from './references.ts'
import { danglingMasks } from './sealed-definition.ts'

/** Throws a 400 naming everything that is wrong with a complete definition, with slugs of locations. */
export async function validateDefinition(
  client: Queryable,
  references: References,
  type: AnyCheckType,
  definition: Definition,
): Promise<void> {
  const problems = [
    ...validateWhole(type, definition),
    ...danglingMasks(type, definition).map((path) => ({ path, message: 'is a mask; send the value itself' })),
    ...(await referenceProblems(client, references, definition)),
  ]
  if (problems.length > 0) throw invalid(problems)
}

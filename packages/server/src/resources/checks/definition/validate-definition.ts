import type { AnyCheckType, Definition } from '@vedette/checks'
import { validateWhole } from '@vedette/checks/rules'
import { invalid } from '../../../api-error.ts'
import { referenceProblems, type OfLocations, type UnknownReferences } from './references.ts'
import { danglingMasks } from './sealed-definition.ts'

/** Throws a 400 naming everything that is wrong with a complete definition, with slugs of locations. */
export function validateDefinition(
  unknown: UnknownReferences,
  locations: OfLocations,
  type: AnyCheckType,
  definition: Definition,
): void {
  const problems = [
    ...validateWhole(type, definition),
    ...danglingMasks(type, definition).map((path) => ({ path, message: 'is a mask; send the value itself' })),
    ...referenceProblems(unknown, locations, definition),
  ]
  if (problems.length > 0) throw invalid(problems)
}

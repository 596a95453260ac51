import { readableName } from '@vedette/checks'
import type { Assertion } from '@vedette/wire'
import { capitalised } from '../../ui/capitalised.ts'

/** A name of the API as a label: `STATUS_CODE` is "Status code". */
export const labelOf = (name: string): string => capitalised(readableName(name))

const signs: Record<string, string> = {
  EQUALS: 'is',
  NOT_EQUALS: 'is not',
  GREATER_THAN: 'is greater than',
  LESS_THAN: 'is less than',
}

/** What must hold, in words. */
export function assertionText({ source, property, comparison, target }: Assertion): string {
  const verb = signs[comparison] ?? readableName(comparison)
  return [labelOf(source), property, verb, target].filter((part) => part !== '').join(' ')
}

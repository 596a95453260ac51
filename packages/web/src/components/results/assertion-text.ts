import { readableName } from '@vedette/checks'
import type { Assertion } from '@vedette/wire'

/** A name of the API as a label: `STATUS_CODE` is "Status code". */
export function labelOf(name: string): string {
  const text = readableName(name)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

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

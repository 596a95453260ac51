import type { JobVariable } from '@vedette/wire'
import { formatMoment } from './moment.ts'

/** A template that cannot be filled: an unknown name or helper. Its message names it and is shown to the user. */
export class TemplateProblem extends Error {}

/** Where the values of templates come from. A run's context is one. */
export interface TemplateScope {
  /** Later ones win over earlier ones of the same key. */
  variables: readonly JobVariable[]
  clock: { now(): number }
  random(): number
}

const expression = /\{\{\{\s*([A-Za-z_$][^{}]{0,500})\}\}\}|\{\{\s*([A-Za-z_$][^{}]{0,500})\}\}/g
const part = /"([^"]*)"|'([^']*)'|(\S+)/g

function uuid(random: () => number): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16))
  digits[12] = 4
  digits[16] = 8 + ((digits[16] ?? 0) & 3)
  const hex = digits.map((digit) => digit.toString(16)).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const helpers: Record<string, (scope: TemplateScope, args: readonly string[]) => string | undefined> = {
  $UUID: (scope) => uuid(() => scope.random()),
  $RANDOM_NUMBER: (scope) => String(Math.floor(scope.random() * 10_001)),
  moment: ({ clock }, args) => formatMoment(clock.now(), args),
}

function valueOf(source: string, scope: TemplateScope): string {
  const [name = '', ...args] = [...source.matchAll(part)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
  const variable = args.length === 0 ? scope.variables.findLast(({ key }) => key === name) : undefined
  if (variable !== undefined) return variable.value
  const filled = Object.hasOwn(helpers, name) ? helpers[name]?.(scope, args) : undefined
  if (filled !== undefined) return filled
  if (args.length === 0) throw new TemplateProblem(`Unknown variable {{${name}}}`)
  throw new TemplateProblem(`Template {{${source.trim()}}} cannot be filled`)
}

/**
 * Fills `{{NAME}}` (through `encode`) and `{{{NAME}}}` (as is) from variables and the helpers `$UUID`, `$RANDOM_NUMBER`
 * and `moment`. Inserted values are never read as templates again. Braces that hold no name are left alone.
 * Throws `TemplateProblem` for an unknown name.
 */
export function renderTemplate(
  text: string,
  scope: TemplateScope,
  encode: (value: string) => string = (value) => value,
): string {
  if (!text.includes('{{')) return text
  return text.replace(expression, (_, raw: string | undefined, encoded: string | undefined) =>
    raw === undefined ? encode(valueOf(encoded ?? '', scope)) : valueOf(raw, scope),
  )
}

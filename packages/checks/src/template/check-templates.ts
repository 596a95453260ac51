import type { JobVariable } from '@vedette/wire'
import { momentHelper } from './dates/moment.ts'
import { readPhrase } from './dates/read-when.ts'
import type { Helpers, TemplateDialect } from './dialect.ts'
import type { EncodeText } from './encode-value.ts'
import { readTags } from './read-tags.ts'
import { renderTemplate, type TemplateInput } from './render-template.ts'
import { templateReader } from './validate-template.ts'
import { random } from './values.ts'

/** Where the values of a check's templates come from. A run's context is one. */
export interface TemplateScope {
  /** Later ones win over earlier ones of the same key. */
  variables: readonly JobVariable[]
  clock: { now(): number }
  random(): number
}

/** Fills the templates of a text. Throws `TemplateProblem` for an unknown name. */
export type FillTemplates = (text: string, encode?: EncodeText) => string

const helpers: Helpers = {
  moment: momentHelper(readPhrase),
  // Templates of checks may pass these arguments; they have no effect.
  $UUID: { ...random.$UUID, max: Infinity },
  $RANDOM_NUMBER: { ...random.$RANDOM_NUMBER, max: Infinity },
}

const checkTemplates: TemplateDialect = {
  helpers,
  read: templateReader(readTags, helpers),
  unknownName: 'refused',
  limits: { outputChars: 10_485_760, valueChars: 65_536, steps: 1_000_000 },
}

function uuid(random: () => number): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16))
  digits[12] = 4
  digits[16] = 8 + ((digits[16] ?? 0) & 3)
  const hex = digits.map((digit) => digit.toString(16)).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const asIs: EncodeText = (value) => value

/**
 * Makes the function that fills `{{NAME}}` (through `encode`) and `{{{NAME}}}` (as is) from variables and the helpers
 * `$UUID`, `$RANDOM_NUMBER` and `moment`. Inserted values are never read as templates again. Braces that hold no name
 * are left alone.
 */
export function templateFiller(scope: TemplateScope): FillTemplates {
  let input: Omit<TemplateInput, 'encoding'> | undefined
  return (text, encode = asIs) => {
    if (!text.includes('{{')) return text
    input ??= inputOf(scope)
    return renderTemplate(checkTemplates, text, { ...input, encoding: encode })
  }
}

const inputOf = (scope: TemplateScope): Omit<TemplateInput, 'encoding'> => {
  const next = () => scope.random()
  return {
    values: {},
    locals: Object.fromEntries(scope.variables.map(({ key, value }) => [key, value])),
    runtime: { now: () => scope.clock.now(), random: next, uuid: () => uuid(next) },
  }
}

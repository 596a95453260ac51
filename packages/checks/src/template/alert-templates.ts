import { conditions } from './conditions.ts'
import type { Helpers, TemplateDialect } from './dialect.ts'
import { parseTemplate } from './parse-template.ts'
import { TemplateProblem } from './template-problem.ts'
import { templateReader } from './validate-template.ts'
import { values } from './values.ts'

const blocks: Helpers = {
  each: { kind: 'block', min: 1, max: 1, loops: true },
  with: { kind: 'block', min: 1, max: 1, loops: false },
}
const helpers: Helpers = { ...conditions, ...values, ...blocks }

/** Templates of alerts are complete Handlebars. An unknown name is empty. */
export const alertTemplates: TemplateDialect = {
  helpers,
  read: templateReader(parseTemplate, helpers),
  unknownName: 'empty',
  limits: { outputChars: 262_144, valueChars: 65_536, steps: 50_000 },
}

/**
 * What is wrong with a template of an alert, as the end of a sentence that starts with its field; undefined when
 * nothing is.
 */
export function templateProblem(text: string): string | undefined {
  try {
    alertTemplates.read(text)
    return undefined
  } catch (error) {
    if (error instanceof TemplateProblem) return error.message
    throw error
  }
}

import type { Program } from './template-ast.ts'

/** What rendering takes from its environment. */
export interface TemplateRuntime {
  /** Epoch milliseconds. */
  now(): number
  /** From 0 up to but not including 1. */
  random(): number
  uuid(): string
}

/** What a template can call, with bounds for the number of its arguments. */
export type Helper =
  /** A value or, as a block, a choice between the block and its `{{else}}`. */
  | { kind: 'condition'; min: number; max: number; decide(args: readonly unknown[]): unknown }
  | { kind: 'value'; min: number; max: number; compute(args: readonly unknown[], runtime: TemplateRuntime): unknown }
  | { kind: 'block'; min: number; max: number; loops: boolean }

export type Helpers = Readonly<Record<string, Helper>>

/** What differs between the templates of alerts and those of checks. */
export interface TemplateDialect {
  helpers: Helpers
  /** Throws `TemplateProblem` for a text that is no template of this dialect. */
  read(text: string): Program
  /** How a name without a value is treated. */
  unknownName: 'empty' | 'refused'
  /** Bounds of one rendering: far above what people write, as a defence against hostile templates. */
  limits: { outputChars: number; valueChars: number; steps: number }
}

/** The helper of that name. A template can call nothing else. */
export const helperNamed = (helpers: Helpers, name: string): Helper | undefined =>
  Object.hasOwn(helpers, name) ? helpers[name] : undefined

/** What is wrong with the number of arguments of a helper, undefined when nothing is. */
export function argumentProblem(name: string, { min, max }: Helper, count: number): string | undefined {
  if (count >= min && count <= max) return undefined
  const wanted = min === max ? String(min) : `${min} to ${max}`
  return `"${name}" takes ${wanted} value${wanted === '1' ? '' : 's'}, got ${count}`
}

import { conditions } from './conditions.ts'
import { values } from './values.ts'
import type { Word } from './word.ts'

const blocks: Record<string, Word> = {
  each: { kind: 'block', min: 1, max: 1 },
  with: { kind: 'block', min: 1, max: 1 },
}
const all: Record<string, Word> = { ...conditions, ...values, ...blocks }

/** The word of that name; a template cannot reach anything else that runs. */
export const wordNamed = (name: string): Word | undefined => (Object.hasOwn(all, name) ? all[name] : undefined)

/** What is wrong with the number of arguments of a word, undefined when nothing is. */
export function argumentProblem(name: string, { min, max }: Word, count: number): string | undefined {
  if (count >= min && count <= max) return undefined
  const wanted = min === max ? String(min) : `${min} to ${max}`
  return `"${name}" takes ${wanted} value${wanted === '1' ? '' : 's'}, got ${count}`
}

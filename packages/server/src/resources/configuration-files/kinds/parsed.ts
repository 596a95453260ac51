import { fieldProblems } from '@vedette/wire'
import type { z } from 'zod'
import { invalid } from '../../../api-error.ts'
import type { Entry } from '../file-kind.ts'

/** The entry, if it fits. Throws a 400 that names what is wrong, without values of secrets. */
export function parsed<Output>(schema: z.ZodType<Output>, entry: Entry, secretPaths: readonly string[] = []): Output {
  const { success, data, error } = schema.safeParse(entry, { reportInput: true })
  if (success) return data
  throw invalid(fieldProblems(error.issues, secretPaths))
}

/** A function that answers undefined where it would throw, for trying what may be left out. */
export const ifValid =
  (complete: (entry: Entry) => Entry) =>
  (entry: Entry): Entry | undefined => {
    try {
      return complete(entry)
    } catch (error) {
      if (error instanceof Error) return undefined
      throw error
    }
  }

export const textAt = (entry: Entry, field: string): string | undefined => {
  const value = entry[field]
  return typeof value === 'string' ? value : undefined
}

import type { FieldProblem } from '@vedette/wire'
import { ApiFailure } from '../api/client.ts'

/** The fields that the server refused. Its message is about the first of them. */
export function refusedFields(failure: Error | null): FieldProblem[] {
  if (!(failure instanceof ApiFailure)) return []
  return failure.keys.map((path, at) => ({ path, message: at === 0 ? withoutName(failure.message, path) : '' }))
}

const withoutName = (message: string, path: string): string => message.replace(`"${path}" `, '')

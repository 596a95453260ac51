import { LRUCache } from 'lru-cache'
import { RE2JS, RE2JSSyntaxException } from 're2js'
import { ExpressionProblem } from './assertions.ts'

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    const reason = error.message.replace('error parsing regexp: ', '')
    throw new ExpressionProblem(`The regular expression cannot be read (RE2 syntax): ${reason}`)
  }
}

const compiled = new LRUCache<string, RE2JS>({ max: 500, memoMethod: compile })

/** Compiles with RE2 rules: no lookaround or back references, and no pattern that takes exponential time. */
export const compileRegex = (pattern: string): RE2JS => compiled.memo(pattern)

/** The first capture group of the first match, the whole match when there is no group; undefined without a match. */
export function firstGroup(pattern: string, text: string): string | undefined {
  const regex = compileRegex(pattern)
  const matcher = regex.matcher(text)
  if (!matcher.find()) return undefined
  return matcher.group(regex.groupCount() > 0 ? 1 : 0) ?? undefined
}

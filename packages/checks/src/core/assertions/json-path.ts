import {
  FunctionExpressionType,
  JSONPathEnvironment,
  JSONPathError,
  type FilterFunction,
  type JSONPathQuery,
  type JSONValue,
} from 'json-p3'
import { LRUCache } from 'lru-cache'
import { ExpressionProblem } from './assertions.ts'
import { fromMembers, parseMemberPath, type JsonPath } from './member-path.ts'
import { compileRegex } from './regex.ts'

/** I-Regexp lets a dot match anything but line ends; RE2 excludes only the line feed. */
const toRe2 = (pattern: string) =>
  pattern.replaceAll(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\./g, (part) => (part === '.' ? '[^\\n\\r]' : part))

const isRegexMatch = (text: unknown, pattern: unknown, anchored: boolean): boolean => {
  if (typeof text !== 'string' || typeof pattern !== 'string') return false
  try {
    const matcher = compileRegex(toRe2(pattern)).matcher(text)
    return anchored ? matcher.matches() : matcher.find()
  } catch (error) {
    // RFC 9535: a pattern that cannot be used matches nothing.
    if (error instanceof ExpressionProblem) return false
    throw error
  }
}

const regexFunction = (anchored: boolean): FilterFunction => ({
  argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
  returnType: FunctionExpressionType.LogicalType,
  call: (text: unknown, pattern: unknown) => isRegexMatch(text, pattern, anchored),
})

const environment = new JSONPathEnvironment({ maxRecursionDepth: 500 })
environment.functionRegister.set('match', regexFunction(true))
environment.functionRegister.set('search', regexFunction(false))

function compileQuery(path: string): JSONPathQuery {
  try {
    return environment.compile(path)
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error
    throw new ExpressionProblem(`The JSONPath cannot be read: ${error.message}`)
  }
}

function fromQuery(path: string): JsonPath {
  const query = compileQuery(path)
  return { values: (document) => query.query(document as JSONValue).values() }
}

function compilePlain(path: string): JsonPath {
  const members = parseMemberPath(path)
  return members === undefined ? fromQuery(path) : fromMembers(members)
}

/** `.length` gives the size of lists and texts, unless the document has a member of that name. */
function withLength(path: string): JsonPath {
  const own = compilePlain(path)
  const sized = compilePlain(path.slice(0, -'.length'.length))
  return {
    values(document) {
      const members = own.values(document)
      if (members.length > 0) return members
      return sized.values(document).flatMap((value) => {
        return typeof value === 'string' || Array.isArray(value) ? [value.length] : []
      })
    },
  }
}

const compiled = new LRUCache<string, JsonPath>({
  max: 500,
  memoMethod: (path) => (path.endsWith('.length') ? withLength(path) : compilePlain(path)),
})

/** Compiles an RFC 9535 JSONPath, extended by `.length`. Throws `ExpressionProblem`. */
export const compileJsonPath = (path: string): JsonPath => compiled.memo(path)

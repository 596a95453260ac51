export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

const verbOf: Record<Method, string> = { get: 'get', post: 'create', put: 'update', patch: 'update', delete: 'delete' }

/** Last parts of addresses that say what is done. */
const verbs: Record<string, string> = {
  acknowledge: 'acknowledge',
  bulk: 'bulkChange',
  cancel: 'cancel',
  'dry-run': 'dryRun',
  preview: 'preview',
  restore: 'restore',
  run: 'run',
  test: 'test',
  trigger: 'trigger',
  undo: 'undo',
}

/** Last parts of addresses that are read as one thing, where others are lists. */
const isOneThing = /^(availability|completion|facts|[\w-]*health|history|me|metrics|mute|overview|phases|timer|uptime)$/

const isId = (part: string): boolean => part.startsWith('{')

/**
 * The name of an operation, after which generated clients call their functions: what is done, then the thing.
 * `GET /v1/check-groups/{id}/checks` is `listCheckGroupChecks`, `POST /v1/checks/{id}/run` is `runCheck`. Versions after
 * the first stand at the end.
 */
export function operationId(method: Method, path: string): string {
  const parts = path.split('/').filter(Boolean)
  const version = /^v\d+$/.test(parts[0] ?? '') ? (parts.shift() ?? '') : 'v1'
  // An address of its own for programs that know nothing but it, by whichever method.
  if (path.endsWith('/trigger/{token}')) return `trigger${nounOf(parts.slice(0, -2), false)}By${pascal(method)}`
  const name = nameOf(method, parts)
  return version === 'v1' ? name : `${name}${version.toUpperCase()}`
}

function nameOf(method: Method, parts: readonly string[]): string {
  const last = parts.at(-1) ?? ''
  const verb = verbs[last]
  if (verb !== undefined)
    return `${method === 'delete' ? `un${verb}` : verb}${nounOf(parts.slice(0, -1), verb === 'bulkChange')}`
  const isMany = method === 'get' && !isId(last) && !isOneThing.test(last)
  return `${isMany ? 'list' : verbOf[method]}${nounOf(parts, isMany || (isOneThing.test(last) && last !== 'me'))}`
}

/** Of parts without an id between them the latter tells the kind of the former: `checks/api` is `ApiCheck`. */
function nounOf(parts: readonly string[], keepsLast: boolean): string {
  const things: string[][] = [[]]
  for (const part of parts) {
    if (isId(part)) things.push([])
    else things.at(-1)?.unshift(part === 'me' ? 'own' : part)
  }
  return things
    .filter((words) => words.length > 0)
    .map((words, nr, all) => {
      const isLast = nr === all.length - 1
      return words
        .map((word) => pascal(isLast && keepsLast && !isId(parts.at(-1) ?? '') ? word : singular(word)))
        .join('')
    })
    .join('')
}

const singular = (word: string): string =>
  word === 'dns'
    ? word
    : word
        .replace(/ies$/, 'y')
        .replace(/(us|ss)es$/, '$1')
        .replace(/(?<![us])s$/, '')

const pascal = (word: string): string => word.replaceAll(/(?:^|[-.])(\w)/g, (_, letter: string) => letter.toUpperCase())

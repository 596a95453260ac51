import { isSet, type Setting } from './setting.ts'

const prefix = /^VEDETTE_/i

/** Variables that tools of this repository read. They may start a program with the environment they have. */
export const toolVariables: ReadonlySet<string> = new Set([
  'VEDETTE_API_KEY',
  'VEDETTE_CHAOS_SECONDS',
  'VEDETTE_LANE',
  'VEDETTE_MEASURE',
  'VEDETTE_MUTATION_TESTS',
  'VEDETTE_SEED',
])

/** Variables that have the prefix of the settings and a value, but are no setting of any program: a sentence for each. */
export function unknownSettings(
  env: Readonly<Record<string, string | undefined>>,
  settings: readonly Setting[],
): string[] {
  const known = settings.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]))
  return Object.keys(env)
    .filter((name) => prefix.test(name) && isSet(name, env) && !known.includes(name) && !toolVariables.has(name))
    .filter((name) => !isServiceVariable(name, env[name] ?? ''))
    .map((name) => `${name} is not a setting of Vedette; ${adviceFor(name, settings)}`)
}

/** Kubernetes sets these in every container for each service; one named "vedette" has the prefix. */
const isServiceVariable = (name: string, value: string): boolean =>
  /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name) ||
  (name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value))

function adviceFor(name: string, settings: readonly Setting[]): string {
  const [, text = '', file = ''] = /^(.*?)(_FILE)?$/.exec(wordOf(name)) ?? []
  const [nearest] = settings
    .map((setting) => ({ ...setting, word: wordOf(setting.name) }))
    .map((setting) => ({ ...setting, edits: editsBetween(text, setting.word) }))
    .filter(({ edits, word }) => edits <= Math.max(text.length, word.length) / 2)
    .toSorted((a, b) => a.edits - b.edits)
  if (nearest === undefined) return 'the manual lists them in settings.md.'
  return `did you mean ${nearest.name}${nearest.secret ? file : ''}?`
}

const wordOf = (name: string): string => name.toUpperCase().replace(prefix, '')

/** How many letters must be added, removed, replaced or swapped with their neighbour to make one text of the other. */
function editsBetween(a: string, b: string): number {
  const edits = (i: number, j: number): number => table[i]?.[j] ?? Infinity
  const table = Array.from({ length: a.length + 1 }, (_, i) => [i])
  for (let j = 1; j <= b.length; j++) table[0]?.push(j)
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const replaced = edits(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? edits(i - 2, j - 2) + 1 : Infinity
      table[i]?.push(Math.min(edits(i - 1, j) + 1, edits(i, j - 1) + 1, replaced, swapped))
    }
  }
  return edits(a.length, b.length)
}

import { nearestName } from '../nearest-name.ts'
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
  const word = nearestName(
    text,
    settings.map((setting) => wordOf(setting.name)),
  )
  const nearest = settings.find((setting) => wordOf(setting.name) === word)
  if (nearest === undefined) return 'the manual lists them in settings.md.'
  return `did you mean ${nearest.name}${nearest.secret ? file : ''}?`
}

const wordOf = (name: string): string => name.toUpperCase().replace(prefix, '')

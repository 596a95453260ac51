import { parseArgs } from 'node:util'
import { peerNames, type PeerName } from './subjects/peer-name.ts'

/** What a user may state; what is not stated has the default of its bench. */
export interface BenchOptions {
  /** Runs per second. */
  loads?: number[]
  rounds?: number
  roundSeconds?: number
  warmSeconds?: number
  /** Folder of another checkout, built. */
  baseline?: string
  against?: PeerName
  peerDir?: string
  from?: number
  to?: number
  minutes?: number
}

export interface BenchOrder {
  names: string[]
  json: boolean
  options: BenchOptions
}

/** A command line that cannot be followed; its text is for the user. */
export class UsageError extends Error {}

const stated = {
  load: { type: 'string', multiple: true },
  rounds: { type: 'string' },
  'round-seconds': { type: 'string' },
  'warm-seconds': { type: 'string' },
  baseline: { type: 'string' },
  against: { type: 'string' },
  'peer-dir': { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  minutes: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

export type OptionName = Exclude<keyof typeof stated, 'json'>

/** Reads the arguments of `npm run bench --`. `benches` says which options each bench takes. */
export function readOrder(
  args: readonly string[],
  benches: Readonly<Record<string, readonly OptionName[]>>,
): BenchOrder {
  const { values, positionals: names } = parsed(args)
  const known = Object.keys(benches).join('|')
  if (names.length === 0) throw new UsageError(`Name a bench: ${known}.`)
  const unknown = names.filter((name) => benches[name] === undefined)
  if (unknown.length > 0) throw new UsageError(`There is no bench "${unknown.join(' ')}". Name one of: ${known}.`)
  const taken = new Set(names.flatMap((name) => benches[name] ?? []))
  for (const name of Object.keys(stated) as (keyof typeof stated)[])
    if (name !== 'json' && values[name] !== undefined && !taken.has(name))
      throw new UsageError(`${names.join(' and ')} ${names.length > 1 ? 'take' : 'takes'} no --${name}.`)
  return { names, json: values.json, options: optionsOf(values) }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: stated, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error))
  }
}

function optionsOf(values: ReturnType<typeof parsed>['values']): BenchOptions {
  const { baseline, against, 'peer-dir': peerDir, load: loads } = values
  if (baseline !== undefined && against !== undefined) throw new UsageError('Give --baseline or --against, not both.')
  if (peerDir !== undefined && against === undefined)
    throw new UsageError('--peer-dir says where the peer of --against is.')
  const whole = (
    name: 'rounds' | 'round-seconds' | 'warm-seconds' | 'from' | 'to' | 'minutes',
    least: number,
    most: number,
  ) => (values[name] === undefined ? undefined : wholeNumber(`--${name}`, values[name], least, most))
  const [from, to] = [whole('from', 100, 20_000), whole('to', 100, 20_000)]
  if (from !== undefined && to !== undefined && from > to)
    throw new UsageError(`--from must be at most --to; got ${from} and ${to}.`)
  const given = {
    loads: loads?.map((each) => wholeNumber('--load', each, 0, 1000)).toSorted((a, b) => a - b),
    rounds: whole('rounds', 1, 20),
    roundSeconds: whole('round-seconds', 5, 600),
    warmSeconds: whole('warm-seconds', 0, 600),
    baseline,
    against: against === undefined ? undefined : peerName(against),
    peerDir,
    from,
    to,
    minutes: whole('minutes', 1, 600),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw new UsageError(`${name} must be a whole number from ${least} to ${most}; got "${text}".`)
}

function peerName(text: string): PeerName {
  const found = peerNames.find((name) => name === text)
  if (found !== undefined) return found
  throw new UsageError(`--against must be one of ${peerNames.join(', ')}; got "${text}".`)
}

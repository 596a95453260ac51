import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'

/** What `/etc/resolv.conf` says, with its defaults. */
export interface ResolverSettings {
  nameservers: { address: string; port: number }[]
  search: string[]
  ndots: number
}
export type HostsTable = ReadonlyMap<string, readonly string[]>

export function parseResolvConf(text: string): ResolverSettings {
  const settings: ResolverSettings = { nameservers: [], search: [], ndots: 1 }
  for (const line of text.split('\n')) {
    const [keyword, ...values] = (line.split(/[#;]/, 1)[0] ?? '').trim().split(/\s+/)
    if (keyword === 'nameserver') addNameserver(settings, values[0])
    else if (keyword === 'search' || keyword === 'domain') settings.search = values.filter((value) => value !== '')
    else if (keyword === 'options') settings.ndots = ndotsOf(values) ?? settings.ndots
  }
  // As the C library does: no nameserver means the local machine.
  if (settings.nameservers.length === 0) settings.nameservers.push({ address: '127.0.0.1', port: 53 })
  return settings
}

function addNameserver(settings: ResolverSettings, value: string | undefined): void {
  if (value !== undefined && isIP(value) !== 0) settings.nameservers.push({ address: value, port: 53 })
}

function ndotsOf(options: readonly string[]): number | undefined {
  const found = options.map((option) => /^ndots:(\d{1,2})$/.exec(option)?.[1]).find((value) => value !== undefined)
  return found === undefined ? undefined : Math.min(15, Number(found))
}

export function parseHosts(text: string): HostsTable {
  const table = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address, ...names] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/)
    if (address === undefined || isIP(address) === 0) continue
    for (const name of names) {
      const key = name.toLowerCase()
      table.set(key, [...(table.get(key) ?? []), address])
    }
  }
  return table
}

/** Reads a file again after it has changed, and checks that at most once a second. A missing file counts as empty. */
function watchedFile<T>(path: string, parse: (text: string) => T): () => T {
  let checkedAt = -Infinity
  let version = ''
  let value: T | undefined
  return () => {
    const now = performance.now()
    if (value !== undefined && now - checkedAt < 1000) return value
    checkedAt = now
    const stat = statSync(path, { throwIfNoEntry: false })
    const seen = stat === undefined ? 'none' : `${stat.mtimeMs}/${stat.size}/${stat.ino}`
    if (value === undefined || seen !== version) {
      version = seen
      value = parse(stat === undefined ? '' : readFileSync(path, 'utf8'))
    }
    return value
  }
}

export const systemResolverSettings = watchedFile('/etc/resolv.conf', parseResolvConf)
export const systemHosts = watchedFile('/etc/hosts', parseHosts)

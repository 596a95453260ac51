import { isIP } from 'node:net'
import { askAny, type AskOptions } from './dns-ask.ts'
import { secureRandom } from './dns-message.ts'
import type { AddressRecord } from './dns-query.ts'
import type { Nameserver } from './dns-transport.ts'
import { systemHosts, systemResolverSettings, type HostsTable, type ResolverSettings } from './resolver-files.ts'
import { HostTrouble, TargetError } from '../target-error.ts'

export type IpFamily = 'IPv4' | 'IPv6'
export type FamilyChoice = IpFamily | 'any'

export interface LookupOptions {
  signal: AbortSignal
  timeoutMs: number
}

/**
 * Finds the addresses of a host (normalised, no brackets), in the order to try them. Rejects with a `TargetError` of
 * phase dns.
 */
export type Resolve = (host: string, family: FamilyChoice, options: LookupOptions) => Promise<readonly string[]>

export interface ResolverOptions {
  /** Instead of those of `/etc/resolv.conf`. */
  nameservers?: readonly Nameserver[]
  search?: readonly string[]
  ndots?: number
  /** Instead of `/etc/hosts`. */
  hosts?: HostsTable
  random?: () => number
}

/** Longest time of a look-up in milliseconds, even when the attempt has more time left. */
const lookupLimitMs = 10_000
const mostNameservers = 3
/** How long addresses of one family are waited for once there are some of the other: some name servers drop questions for IPv6. */
const otherFamilyMs = 1000

/** Our own look-up: literals, hosts file, `localhost`, then the nameservers. Nothing is cached. */
export function createResolver(options: ResolverOptions = {}): Resolve {
  const settings = (): ResolverSettings => {
    const system = systemResolverSettings()
    return {
      nameservers: [...(options.nameservers ?? system.nameservers)].slice(0, mostNameservers),
      search: [...(options.search ?? (options.nameservers ? [] : system.search))],
      ndots: options.ndots ?? system.ndots,
    }
  }
  const hosts = () => options.hosts ?? systemHosts()
  const random = options.random ?? secureRandom

  return async (host, family, { signal, timeoutMs }) => {
    const known = knownAddresses(host, family, hosts())
    if (known !== undefined) return known
    if (!isDnsName(host)) {
      throw new TargetError('dns', 'DNS_INVALID_NAME', `${host} is not a name that DNS can look up`)
    }
    const { nameservers, search, ndots } = settings()
    const ask = { nameservers, random, signal, timeoutMs: Math.min(lookupLimitMs, timeoutMs) }
    const names = candidates(host, search, ndots)
    if (family !== 'any') return await lookUp(host, names, family === 'IPv4' ? 'A' : 'AAAA', ask)
    return await lookUpBoth(host, names, ask)
  }
}

/** Whether `name` can be looked up now. Distinguishes trouble of our own DNS from trouble of the target. */
export async function controlLookup(name: string, resolve: Resolve, options: LookupOptions): Promise<boolean> {
  try {
    return (await resolve(name, 'any', options)).length > 0
  } catch (error) {
    if (error instanceof TargetError || error instanceof HostTrouble) return false
    throw error
  }
}

const ofFamily = (addresses: readonly string[], family: FamilyChoice): string[] => {
  const wanted = family === 'IPv4' ? [4] : family === 'IPv6' ? [6] : [4, 6]
  return wanted.flatMap((version) => addresses.filter((address) => isIP(address) === version))
}

/** Addresses that need no nameserver. Names under `localhost` never go to one (RFC 6761). */
function knownAddresses(host: string, family: FamilyChoice, hosts: HostsTable): readonly string[] | undefined {
  if (isIP(host) !== 0) return [host]
  const name = host.replace(/\.$/, '')
  const listed = ofFamily(hosts.get(name) ?? [], family)
  if (listed.length > 0) return listed
  return name === 'localhost' || name.endsWith('.localhost') ? ofFamily(['127.0.0.1', '::1'], family) : undefined
}

/** Whether DNS can hold the name. */
export const isDnsName = (host: string): boolean => {
  const name = host.replace(/\.$/, '')
  return name.length <= 253 && name.split('.').every((part) => part.length > 0 && part.length <= 63)
}

function candidates(host: string, search: readonly string[], ndots: number): string[] {
  if (host.endsWith('.')) return [host.slice(0, -1)]
  const searched = search.map((domain) => `${host}.${domain.replace(/^\.|\.$/g, '')}`).filter(isDnsName)
  return host.split('.').length > ndots ? [host, ...searched] : [...searched, host]
}

async function lookUp(
  host: string,
  names: readonly string[],
  type: AddressRecord,
  options: AskOptions,
): Promise<readonly string[]> {
  let exists = false
  for (const name of names) {
    const answer = await askAny({ name, type }, options)
    if (answer.addresses.length > 0) return answer.addresses
    exists ||= answer.rcode === 'NOERROR'
  }
  const family = type === 'A' ? 'IPv4' : 'IPv6'
  if (exists)
    throw new TargetError('dns', 'DNS_NO_DATA', `${host} exists in DNS but has no ${family} address (${type} record)`)
  throw new TargetError('dns', 'DNS_NXDOMAIN', `${host} does not exist in DNS (NXDOMAIN)`)
}

async function lookUpBoth(host: string, names: readonly string[], options: AskOptions): Promise<readonly string[]> {
  const enough = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const of = { ...options, signal: AbortSignal.any([options.signal, enough.signal]) }
  const found = async (type: AddressRecord) => {
    const addresses = await lookUp(host, names, type, of)
    timer ??= setTimeout(() => enough.abort(), otherFamilyMs)
    return addresses
  }
  const [ipv4, ipv6] = await Promise.allSettled([found('A'), found('AAAA')])
  clearTimeout(timer)
  const addresses = [ipv4, ipv6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  if (addresses.length > 0) return addresses
  throw ipv4.status === 'rejected' ? ipv4.reason : new TargetError('dns', 'DNS_NO_DATA', `${host} has no address`)
}

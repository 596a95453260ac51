import { isIP } from 'node:net'
import type { networkInterfaces } from 'node:os'
import { classifyAddress, isLoopback } from './address.ts'
import { lackOf } from '../own-resources.ts'
import { formatEndpoint, HostTrouble } from '../target-error.ts'

/** The network interfaces of this machine that are up. */
export type Interfaces = typeof networkInterfaces

/** Errors that a machine without network causes. Routers on the way cause the first two as well (ICMP). */
const perhapsOurs = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'])

/** Addresses from which something outside of this machine may be reached: neither loopback nor link-local. */
const usableAddresses = (interfaces: Interfaces): string[] =>
  Object.values(interfaces())
    .flatMap((entries) => entries ?? [])
    .filter(({ internal, address }) => !internal && classifyAddress(address).reach !== 'forbidden')
    .map(({ address }) => address)

/** True when this machine has any network besides its loopback interface. */
export const hasNetwork = (interfaces: Interfaces): boolean => usableAddresses(interfaces).length > 0

/**
 * True when this machine has an address from which `target` can be reached. A public IPv6 address is not reached from a
 * private one, which container networks have even on machines without IPv6. IPv4 is translated on the way.
 */
function hasNetworkFor(target: string, interfaces: Interfaces): boolean {
  const isPublic6 = isIP(target) === 6 && classifyAddress(target).reach === 'public'
  return usableAddresses(interfaces).some(
    (own) => isIP(own) === isIP(target) && (!isPublic6 || classifyAddress(own).reach === 'public'),
  )
}

/**
 * An error of `connect`, or of sending where there is no port, as trouble of this machine, which says nothing about the
 * target; undefined when it may be the target's. An unreachable target counts as ours only when no interface leads there: the error code alone does not
 * tell, and a target whose network is down must fail.
 */
export function ownNetworkTrouble(
  code: string,
  { address, port }: { address: string; port?: number },
  interfaces: Interfaces,
): HostTrouble | undefined {
  const trouble = (kind: 'NO_NETWORK' | 'NO_RESOURCES', why: string) =>
    new HostTrouble(
      kind,
      `No ${port === undefined ? 'packet' : 'connection'} to ${formatEndpoint(address, port)} was possible: ${why} (${code})`,
    )
  const lacking = lackOf(code)
  if (lacking !== undefined) return trouble('NO_RESOURCES', lacking)
  if (!perhapsOurs.has(code) || isLoopback(address)) return undefined
  if (!hasNetworkFor(address, interfaces)) {
    return trouble('NO_NETWORK', `this machine has no network that leads to IPv${isIP(address)} addresses like it`)
  }
  return code === 'EADDRNOTAVAIL' ? trouble('NO_RESOURCES', 'this machine has no local port left for it') : undefined
}

import { networkInterfaces } from 'node:os'
import { isLoopback, isUnspecified, spellingsOf } from './address.ts'

type DeniedTarget = { address: string; port: number }

const interfacesFor = 5000
let interfacesReadAt = -Infinity
let interfaceAddresses: ReadonlySet<string> = new Set()

/** Addresses of this machine, read again every few seconds because interfaces come and go. */
function ownAddresses(): ReadonlySet<string> {
  const now = performance.now()
  if (now - interfacesReadAt > interfacesFor) {
    interfacesReadAt = now
    const all = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
    interfaceAddresses = new Set(all.flatMap((entry) => spellingsOf(entry.address)))
  }
  return interfaceAddresses
}

/** Whether connecting to `spelling` reaches a listener bound to `bound`, as far as an address alone can tell. */
function reaches(spelling: string, bound: string): boolean {
  if (spelling === bound) return true
  const local = isLoopback(spelling) || isUnspecified(spelling)
  if (isUnspecified(bound)) return local || ownAddresses().has(spelling)
  return isLoopback(bound) && local
}

/** The own listener (or database) that an address and port lead to, if any. */
export function ownTargetAt(address: string, port: number, denied: readonly DeniedTarget[]): DeniedTarget | undefined {
  const onPort = denied.filter((target) => target.port === port)
  if (onPort.length === 0) return undefined
  const spellings = spellingsOf(address)
  return onPort.find((target) =>
    boundSpellings(target.address).some((bound) => spellings.some((spelling) => reaches(spelling, bound))),
  )
}

const boundSpellings = (address: string): string[] =>
  address.toLowerCase() === 'localhost' ? ['127.0.0.1', '::1'] : spellingsOf(address.replace(/^\[|\]$/g, ''))

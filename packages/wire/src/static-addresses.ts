import { z } from 'zod'
import { locations, type Location } from './enums.ts'
import { isRegion } from './location.ts'

/** Addresses from which the agents of a region reach their targets, as the operator states them. */
export interface AddressesOfRegion {
  region: Location
  ipv4: string[]
  /** Addresses and ranges. */
  ipv6: string[]
}

const ipv4 = z.ipv4()
const ipv6 = z.union([z.ipv6(), z.cidrv6()])

/**
 * Reads `eu-west-1=192.0.2.1,2001:db8::/64;us-east-1=192.0.2.2`. Undefined when a region or an address is none. Regions are in
 * the order of the API, and each address is in its region once.
 */
export function readStaticAddresses(text: string): AddressesOfRegion[] | undefined {
  const found = new Map<Location, Set<string>>()
  for (const part of text.split(';').filter((one) => one.trim() !== '')) {
    const [region = '', list, ...rest] = part.split('=').map((one) => one.trim())
    if (!isRegion(region) || list === undefined || rest.length > 0) return undefined
    const known = found.get(region) ?? new Set()
    for (const address of list.split(',').map((one) => one.trim())) {
      if (!ipv4.safeParse(address).success && !ipv6.safeParse(address).success) return undefined
      known.add(address)
    }
    found.set(region, known)
  }
  return locations.flatMap((region) => {
    const addresses = [...(found.get(region) ?? [])]
    if (addresses.length === 0) return []
    const isV4 = (address: string) => ipv4.safeParse(address).success
    return [{ region, ipv4: addresses.filter(isV4), ipv6: addresses.filter((one) => !isV4(one)) }]
  })
}

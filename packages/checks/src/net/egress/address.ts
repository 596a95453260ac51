import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Which policies allow an address. `forbidden` is denied under every policy, `private` where private targets are
 * denied.
 */
export interface AddressKind {
  reach: 'public' | 'private' | 'forbidden'
  /** The rule in words: `link-local and metadata addresses (169.254.0.0/16)`. Empty for public ones. */
  rule: string
}

type Range = readonly [network: string, reach: 'private' | 'forbidden', rule: string]

const ranges4: readonly Range[] = [
  ['0.0.0.0/8', 'forbidden', 'unspecified addresses (0.0.0.0/8)'],
  ['169.254.0.0/16', 'forbidden', 'link-local and metadata addresses (169.254.0.0/16)'],
  ['100.100.100.200/32', 'forbidden', 'metadata addresses (100.100.100.200)'],
  ['168.63.129.16/32', 'forbidden', 'metadata addresses (168.63.129.16)'],
  ['192.0.0.192/32', 'forbidden', 'metadata addresses (192.0.0.192)'],
  ['224.0.0.0/4', 'forbidden', 'multicast addresses (224.0.0.0/4)'],
  ['240.0.0.0/4', 'forbidden', 'reserved and broadcast addresses (240.0.0.0/4)'],
  ['127.0.0.0/8', 'private', 'loopback addresses (127.0.0.0/8)'],
  ['10.0.0.0/8', 'private', 'private addresses (10.0.0.0/8)'],
  ['172.16.0.0/12', 'private', 'private addresses (172.16.0.0/12)'],
  ['192.168.0.0/16', 'private', 'private addresses (192.168.0.0/16)'],
  ['100.64.0.0/10', 'private', 'carrier-grade NAT addresses (100.64.0.0/10)'],
  ['192.0.0.0/24', 'private', 'protocol assignments (192.0.0.0/24)'],
  ['192.0.2.0/24', 'private', 'documentation addresses (192.0.2.0/24)'],
  ['192.88.99.0/24', 'private', '6to4 relay addresses (192.88.99.0/24)'],
  ['198.18.0.0/15', 'private', 'benchmarking addresses (198.18.0.0/15)'],
  ['198.51.100.0/24', 'private', 'documentation addresses (198.51.100.0/24)'],
  ['203.0.113.0/24', 'private', 'documentation addresses (203.0.113.0/24)'],
]

// The last range covers all that is not global unicast, so that ranges assigned in future count as private.
const ranges6: readonly Range[] = [
  ['::/128', 'forbidden', 'unspecified addresses (::)'],
  ['fe80::/10', 'forbidden', 'link-local addresses (fe80::/10)'],
  ['fd00:ec2::/32', 'forbidden', 'metadata addresses (fd00:ec2::/32)'],
  ['fd20:ce::254/128', 'forbidden', 'metadata addresses (fd20:ce::254)'],
  ['fd00:c1::a9fe:a9fe/128', 'forbidden', 'metadata addresses (fd00:c1::a9fe:a9fe)'],
  ['ff00::/8', 'forbidden', 'multicast addresses (ff00::/8)'],
  ['::1/128', 'private', 'loopback addresses (::1)'],
  ['fc00::/7', 'private', 'private addresses (fc00::/7)'],
  ['64:ff9b:1::/48', 'private', 'local NAT64 addresses (64:ff9b:1::/48)'],
  ['2001:db8::/32', 'private', 'documentation addresses (2001:db8::/32)'],
  ['3fff::/20', 'private', 'documentation addresses (3fff::/20)'],
]

const parsed = (ranges: readonly Range[]) =>
  ranges.map(([network, reach, rule]) => {
    const [address, bits] = ipaddr.parseCIDR(network)
    return { bytes: address.toByteArray(), bits, reach, rule }
  })
const parsed4 = parsed(ranges4)
const parsed6 = parsed(ranges6)

function inRange(bytes: readonly number[], network: readonly number[], bits: number): boolean {
  const whole = bits >> 3
  for (let index = 0; index < whole; index++) if (bytes[index] !== network[index]) return false
  const rest = bits & 7
  return rest === 0 || ((bytes[whole] ?? 0) ^ (network[whole] ?? 0)) >> (8 - rest) === 0
}

const publicKind: AddressKind = { reach: 'public', rule: '' }
const severity = { public: 0, private: 1, forbidden: 2 } as const

/** The bytes of an address without its zone, undefined when it is none. */
function bytesOf(address: string): number[] | undefined {
  const plain = address.split('%', 1)[0] ?? ''
  if (isIP(plain) === 0) return undefined
  return ipaddr.parse(plain).toByteArray()
}

const startsWith = (bytes: readonly number[], prefix: readonly number[]): boolean =>
  prefix.every((byte, index) => bytes[index] === byte)

const zeros = (count: number): number[] => Array.from({ length: count }, () => 0)

interface Carrier {
  prefix: readonly number[]
  at: readonly number[]
  /** The layout is ambiguous, or shares its prefix with `::1`: an address of 0.0.0.0/8 read from it is only padding. */
  padded?: boolean
}

const localNat64 = [0, 0x64, 0xff, 0x9b, 0, 1]
const wellKnownNat64 = [0, 0x64, 0xff, 0x9b, ...zeros(8)]
const mapped = [...zeros(10), 0xff, 0xff]
const last4 = [12, 13, 14, 15]

// Where translation prefixes carry an IPv4 address: RFC 4291 (mapped, compatible), 2765, 6052, 8215, 3056, 4380.
const carriers: readonly Carrier[] = [
  { prefix: mapped, at: last4 },
  { prefix: [...zeros(8), 0xff, 0xff, 0, 0], at: last4 },
  { prefix: zeros(12), at: last4, padded: true },
  { prefix: wellKnownNat64, at: last4 },
  { prefix: localNat64, at: [6, 7, 9, 10], padded: true },
  { prefix: localNat64, at: [7, 9, 10, 11], padded: true },
  { prefix: localNat64, at: [9, 10, 11, 12], padded: true },
  { prefix: localNat64, at: last4, padded: true },
  { prefix: [0x20, 0x02], at: [2, 3, 4, 5] },
  { prefix: [0x20, 0x01, 0, 0], at: [4, 5, 6, 7] },
]

const isTeredo = (bytes: readonly number[]): boolean => startsWith(bytes, [0x20, 0x01, 0, 0])
const isIsatap = (bytes: readonly number[]): boolean =>
  startsWith(bytes.slice(8), [0, 0, 0x5e, 0xfe]) || startsWith(bytes.slice(8), [2, 0, 0x5e, 0xfe])

/** IPv4 addresses a translator or tunnel would take out of an IPv6 address. */
function carriedIPv4(bytes: readonly number[]): number[][] {
  const found: number[][] = []
  for (const { prefix, at, padded } of carriers) {
    if (!startsWith(bytes, prefix)) continue
    const ipv4 = at.map((index) => bytes[index] ?? 0)
    if (ipv4[0] !== 0 || padded !== true) found.push(ipv4)
  }
  if (isTeredo(bytes)) found.push(bytes.slice(12).map((byte) => byte ^ 0xff))
  if (isIsatap(bytes)) found.push(bytes.slice(12))
  return found
}

function kindOf(bytes: readonly number[]): AddressKind {
  const table = bytes.length === 4 ? parsed4 : parsed6
  const range = table.find((entry) => inRange(bytes, entry.bytes, entry.bits))
  if (range !== undefined) return { reach: range.reach, rule: range.rule }
  if (bytes.length === 4) return publicKind
  return kindOfOtherIPv6(bytes)
}

function kindOfOtherIPv6(bytes: readonly number[]): AddressKind {
  const translated = startsWith(bytes, mapped) || startsWith(bytes, wellKnownNat64)
  if (translated || (bytes[0] ?? 0) >> 5 === 1) return publicKind
  return { reach: 'private', rule: 'addresses outside global unicast (2000::/3)' }
}

/**
 * The kind of an address, embedded IPv4 addresses included: the strictest one counts. Text that is no address is
 * forbidden.
 */
export function classifyAddress(address: string): AddressKind {
  const bytes = bytesOf(address)
  if (bytes === undefined) return { reach: 'forbidden', rule: 'text that is not an IP address' }
  let worst = kindOf(bytes)
  if (bytes.length === 16) {
    for (const ipv4 of carriedIPv4(bytes)) {
      const kind = kindOf(ipv4)
      if (severity[kind.reach] > severity[worst.reach]) worst = kind
    }
  }
  return worst
}

/** Every form an address may be meant as (itself and the IPv4 it carries), in one spelling, for comparing. */
export function spellingsOf(address: string): string[] {
  const bytes = bytesOf(address)
  if (bytes === undefined) return []
  const own = ipaddr.fromByteArray(bytes).toString()
  if (bytes.length === 4) return [own]
  return [own, ...carriedIPv4(bytes).map((ipv4) => ipv4.join('.'))]
}

export const isLoopback = (spelling: string): boolean => spelling.startsWith('127.') || spelling === '::1'
export const isUnspecified = (spelling: string): boolean => spelling === '0.0.0.0' || spelling === '::'

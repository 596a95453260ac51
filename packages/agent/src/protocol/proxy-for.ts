import { BlockList, isIP, isIPv6 } from 'node:net'

interface Proxies {
  httpsProxy: string | undefined
  httpProxy: string | undefined
  /** Hosts that are reached without one, as `NO_PROXY` names them. */
  noProxy: readonly string[]
}

/** The proxy for a server; undefined when it is reached directly, as one on this machine always is. */
export function proxyFor(server: string, { httpsProxy, httpProxy, noProxy }: Proxies): string | undefined {
  const url = new URL(server)
  const proxy = url.protocol === 'https:' ? httpsProxy : httpProxy
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  if (isThisMachine(url.hostname) || noProxy.some((entry) => covers(entry, host, port))) return undefined
  return proxy
}

/** Whether the host of an address is this machine itself, as far as its name tells. */
export const isThisMachine = (hostname: string): boolean =>
  /(^|\.)localhost\.?$/.test(hostname) || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))

function covers(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  if (isRange(entry)) return inRange(entry, host)
  const [, bracketed, plain = '', wanted] =
    /^(?:\[(.+)\]|(.*?))(?::(\d+))?$/.exec(isIPv6(entry) ? `[${entry}]` : entry) ?? []
  if (wanted !== undefined && wanted !== port) return false
  const name = (bracketed ?? plain).replace(/^\*?\./, '')
  return host === name || (isIP(host) === 0 && host.endsWith(`.${name}`))
}

const isRange = (entry: string): boolean => entry.includes('/')

function inRange(entry: string, host: string): boolean {
  const [network = '', bits] = entry.split('/')
  const [of, is] = [isIP(network), isIP(host)]
  const length = /^\d+$/.test(bits ?? '') ? Number(bits) : Infinity
  if (of === 0 || of !== is || !(length <= (of === 4 ? 32 : 128))) return false
  const family = of === 4 ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  list.addSubnet(network, length, family)
  return list.check(host, family)
}

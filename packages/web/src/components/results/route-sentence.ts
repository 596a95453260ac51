import type { Traceroute } from '@vedette/wire'

const hops = (count: number): string => `${count} ${count === 1 ? 'hop' : 'hops'}`

/** `TCP to shop.example (192.0.2.80), port 443` */
function wayOf({ hostname, resolvedIp, protocol, port }: Traceroute): string {
  const host = hostname === resolvedIp ? hostname : `${hostname} (${resolvedIp})`
  return `${protocol} to ${host}${port === null ? '' : `, port ${port}`}`
}

/** How far a traceroute came, and what that means. */
export function routeSentence(route: Traceroute): string {
  const { totalHops, truncationReason } = route
  const last = route.hops.at(-1)?.main_ip ?? 'this agent'
  switch (truncationReason) {
    case 'destinationReached':
      return `${wayOf(route)}: it answers after ${hops(totalHops)}, so that the network leads there.`
    case 'unreachable':
      return `${wayOf(route)}: ${last} says that it leads no further.`
    case 'maxUnknownHops':
      return `${wayOf(route)}: nobody answers behind ${last}. What is there is down, or drops such packets.`
    case 'maxHops':
      return `${wayOf(route)}: not reached within ${hops(totalHops)}; the packets may go in a circle.`
    case 'timeout':
      return `${wayOf(route)}: not reached before time was up, ${hops(totalHops)} far.`
  }
}

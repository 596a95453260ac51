import type { Socket as UdpSocket } from 'node:dgram'
import type { EgressPolicy } from '../../core/check-type.ts'
import type { Deadline } from '../deadline.ts'
import { connectedDatagrams, openDatagrams, type DnsSockets, type Nameserver } from '../dns/dns-transport.ts'
import { denialOf, denied, type Egress } from './egress.ts'

/** Opens a socket for datagrams to a literal address. Injected where a test must not send a packet. */
export type DatagramConnector = (target: Nameserver) => UdpSocket

/**
 * A socket for datagrams to and from that address only, which was judged before and is judged again once connected. No
 * packet has been sent. Rejects with a `TargetError`, code `EGRESS_DENIED` when the policy forbids the target.
 */
async function guardedDatagrams(
  target: Nameserver,
  policy: EgressPolicy,
  deadline: Deadline,
  open: DatagramConnector,
): Promise<UdpSocket> {
  const { address, port } = target
  const refuse = (at: string, on: number) => {
    const reason = denialOf(at, on, policy)
    if (reason !== undefined) throw denied(address, at, on, reason)
  }
  refuse(address, port)
  const socket = await connectedDatagrams(open(target), target, deadline)
  try {
    const peer = socket.remoteAddress()
    refuse(peer.address, peer.port)
    return socket
  } catch (error) {
    socket.close()
    throw error
  }
}

/** Sockets to nameservers that users name: all of them are opened by the egress guard. */
export const guardedDnsSockets = (
  egress: Egress,
  policy: EgressPolicy,
  open: DatagramConnector = openDatagrams,
): DnsSockets => ({
  udp: (nameserver, deadline) => guardedDatagrams(nameserver, policy, deadline, open),
  async tcp({ address, port }, deadline) {
    const { socket } = await egress.connect({ host: address, port, family: 'any' }, policy, deadline)
    return socket
  },
})

import type { Contact } from '../egress/contact.ts'
import { belongingOf, remoteOf } from './belongs.ts'
import type { PcapRecord } from './pcap.ts'

/** Packets of an attempt that come after its end: answers on their way, and the end of its connections. */
const afterMs = 1000
/** The clock that stamps packets and the one of contacts are read one after the other. */
const slackMs = 1

/** Our port of a contact: as it was read, or of the only connection that began just then. Others must not be shown. */
function localPortOf(contact: Contact, records: readonly PcapRecord[]): number | undefined {
  if (contact.localPort !== null) return contact.localPort
  const remote = remoteOf(contact)
  const begun = new Set<number>()
  for (const { at, packet } of records) {
    if (at < contact.from - slackMs || at > contact.by + slackMs) continue
    const belonging = belongingOf(packet, remote)
    if (belonging?.begins) begun.add(belonging.localPort)
  }
  const [only] = begun
  return begun.size === 1 ? only : undefined
}

/**
 * The records of the connections that one attempt tried, and no others: by both ends, and by the time of the attempt. `endedAt`
 * is epoch milliseconds of this machine, as the contacts are.
 */
export function packetsOfAttempt(
  all: Iterable<PcapRecord>,
  contacts: readonly Contact[],
  endedAt: number,
): PcapRecord[] {
  const from = Math.min(...contacts.map((contact) => contact.from)) - slackMs
  const records = [...all].filter(({ at }) => at >= from && at <= endedAt + afterMs)
  const wanted = contacts.flatMap((contact) => {
    const localPort = localPortOf(contact, records)
    return localPort === undefined ? [] : [{ remote: remoteOf(contact), localPort, from: contact.from - slackMs }]
  })
  return records.filter(({ at, packet }) =>
    wanted.some(
      ({ remote, localPort, from: begun }) => at >= begun && belongingOf(packet, remote)?.localPort === localPort,
    ),
  )
}

import type { Socket } from 'node:net'

/** A connection that a run tried, to an address that it was allowed to reach. Times are epoch milliseconds of this machine. */
export interface Contact {
  /** As the check names it. */
  host: string
  address: string
  port: number
  /** null when it was over before it could be read: a machine refuses connections to itself at once. */
  localPort: number | null
  /** Between these it was begun. */
  from: number
  by: number
}

/** Tells of a connection that was just asked for. */
export function noteContact(
  socket: Socket,
  target: Pick<Contact, 'host' | 'address' | 'port'>,
  tell: (contact: Contact) => void,
): void {
  const from = Date.now()
  const contact: Contact = { ...target, localPort: null, from, by: from }
  tell(contact)
  // Node connects on the next tick; its port is known from then on, and no more when the connection is over.
  process.nextTick(() => {
    contact.by = Date.now()
    contact.localPort = socket.localPort || null
  })
}

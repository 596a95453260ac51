import { gatus } from './gatus.ts'
import { kuma } from './kuma.ts'
import type { PeerName } from './peer-name.ts'
import type { Subject } from './subject.ts'

/** `folder`: where the peer is installed; without it, it is looked for, and Uptime Kuma is installed into a cache. */
type Peer = (folder: string | undefined, port: number) => Promise<Subject>

const peers: Record<PeerName, Peer> = { kuma, gatus }

/** A peer whose checks ask the port. */
export const peer = (name: PeerName, folder: string | undefined, port: number): Promise<Subject> =>
  peers[name](folder, port)

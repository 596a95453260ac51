export const peerNames = ['kuma', 'gatus'] as const
export type PeerName = (typeof peerNames)[number]

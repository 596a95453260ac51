/** Echo requests to one address, which was judged before. */
export interface PingOrder {
  address: string
  count: number
}

/** Bytes of an echo request with its ICMP header, as `ping` sends them. */
export const packetSize = 64

/** Shortest time between two echo requests in milliseconds: what `ping` grants to everybody. */
export const intervalMs = 200
/** How long is waited for a first answer, in milliseconds, after the last request. */
export const firstAnswerMs = 10_000
/** How long at least for the others once there is one: else twice the slowest round trip, as `ping` does. */
export const otherAnswersMs = 1000

import type { Traceroute } from '@vedette/wire'
import { CannotPing, type Answer } from '../packets/answer.ts'
import type { Packet } from '../packets/packet-program.ts'
import type { PacketSender, SentPacket } from '../packets/packet-programs.ts'
import { endOf, extentOf, type Step } from './hops.ts'

/** Times in milliseconds. */
export interface TracerouteLimits {
  hops: number
  perHop: number
  /** Steps that are asked at the same time. */
  atOnce: number
  /** How long answers of those are waited for. */
  waitMs: number
  totalMs: number
}

const usual: TracerouteLimits = { hops: 30, perHop: 3, atOnce: 5, waitMs: 1200, totalMs: 8000 }

/** mtr-packet forgets a packet after this, in whole seconds; we do so sooner. */
const timeoutSeconds = 5

/** Where to. The address must be one that the egress guard has judged. */
export interface TracerouteTarget {
  host: string
  address: string
  port: number
  protocol: Traceroute['protocol']
}

/** One packet of a step. */
interface Sent {
  ttl: number
  packet: SentPacket | undefined
  answer: Answer | undefined
}

const packetOf = ({ address, port, protocol }: TracerouteTarget, ttl: number): Packet =>
  protocol === 'TCP'
    ? { address, protocol: 'tcp', port, ttl, timeoutSeconds }
    : { address, protocol: 'icmp', ttl, timeoutSeconds }

/** Asks some steps at the same time. Resolves when all have answered or time is up; rejects with `CannotPing`. */
async function ask(
  sender: PacketSender,
  target: TracerouteTarget,
  ttls: readonly number[],
  { perHop, waitMs }: Pick<TracerouteLimits, 'perHop' | 'waitMs'>,
): Promise<Step[]> {
  const all: Sent[] = ttls.flatMap((ttl) =>
    Array.from({ length: perHop }, () => ({ ttl, packet: undefined, answer: undefined })),
  )
  let timer: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => {
        // What has arrived and is not reported yet is no loss.
        sender.reported().then(resolve, reject)
      }, waitMs)
      for (const sent of all)
        sent.packet = sender.send(packetOf(target, sent.ttl), (answer) => {
          if (answer instanceof CannotPing) return reject(answer)
          sent.answer = answer
          if (all.every(({ answer: each }) => each !== undefined)) resolve()
        })
    })
  } finally {
    clearTimeout(timer)
    for (const { packet } of all) packet?.forget()
  }
  return ttls.map((ttl) => ({
    ttl,
    answers: all
      .filter((sent) => sent.ttl === ttl)
      .map(({ answer }): Answer => answer ?? { kind: 'silence' })
      .filter(({ kind }) => kind !== 'unsent'),
  }))
}

/**
 * Finds the way to a target: packets that may pass one router, two and so on, until it answers itself. Rejects with `CannotPing`
 * when this machine cannot send them.
 */
export async function traceroute(
  sender: PacketSender,
  target: TracerouteTarget,
  limits: Partial<TracerouteLimits> = {},
): Promise<Traceroute> {
  const { hops, atOnce, totalMs, waitMs, perHop } = { ...usual, ...limits }
  const startedAt = new Date().toISOString()
  const endsAt = performance.now() + totalMs
  const steps: Step[] = []
  let otherwise: Traceroute['truncationReason'] = 'maxHops'
  while (steps.length < hops && endOf(steps) === undefined) {
    const leftMs = endsAt - performance.now()
    if (leftMs <= 0) {
      otherwise = 'timeout'
      break
    }
    const count = Math.min(atOnce, hops - steps.length)
    const ttls = Array.from({ length: count }, (_, index) => steps.length + index + 1)
    steps.push(...(await ask(sender, target, ttls, { perHop, waitMs: Math.min(waitMs, leftMs) })))
  }
  if (steps.every(({ answers }) => answers.length === 0)) throw new CannotPing('no packet left this machine')
  const { host, address, port, protocol } = target
  return {
    hostname: host,
    resolvedIp: address,
    protocol,
    port: protocol === 'TCP' ? port : null,
    startedAt,
    ...extentOf(steps, address, otherwise),
  }
}

import type { Traceroute, TracerouteHop } from '@vedette/wire'
import type { Answer } from '../packets/answer.ts'

/** What became of the packets that were to pass so many routers. Those that never left are not among them. */
export interface Step {
  ttl: number
  answers: readonly Answer[]
}

/** Microseconds are what mtr-packet measures. */
const roundedMs = (ms: number): number => Math.round(ms * 1000) / 1000

const hasSender = (answer: Answer): answer is Exclude<Answer, { kind: 'silence' | 'unsent' }> =>
  answer.kind !== 'silence' && answer.kind !== 'unsent'

function rttOf(rtts: readonly number[]): TracerouteHop['rtt'] {
  const last = rtts.at(-1)
  if (last === undefined) return null
  const avg = rtts.reduce((sum, rtt) => sum + rtt, 0) / rtts.length
  const variance = rtts.reduce((sum, rtt) => sum + (rtt - avg) ** 2, 0) / rtts.length
  return {
    last_ms: roundedMs(last),
    avg_ms: roundedMs(avg),
    best_ms: roundedMs(Math.min(...rtts)),
    worst_ms: roundedMs(Math.max(...rtts)),
    stddev_ms: roundedMs(Math.sqrt(variance)),
  }
}

/** Most of the others at one distance that are told. */
const mostOthers = 10

/** One line of the report. `target` is who answers a `reply`. */
export function hopOf({ ttl, answers }: Step, target: string): TracerouteHop {
  const heard = answers.filter(hasSender)
  const counts = new Map<string, number>()
  for (const answer of heard) {
    const from = answer.kind === 'reply' ? target : answer.from
    if (from !== null) counts.set(from, (counts.get(from) ?? 0) + 1)
  }
  const [main, ...others] = [...counts].toSorted(([, one], [, other]) => other - one).map(([from]) => from)
  return {
    hop_number: ttl,
    main_ip: main ?? null,
    other_ips: others.slice(0, mostOthers),
    sent: answers.length,
    received: heard.length,
    loss_percentage: answers.length === 0 ? 0 : roundedMs((1 - heard.length / answers.length) * 100),
    rtt: rttOf(heard.flatMap(({ rttMs }) => rttMs ?? [])),
  }
}

/** How far a way leads, and why no further. */
export type Extent = Pick<Traceroute, 'hops' | 'totalHops' | 'destinationReached' | 'truncationReason'>

/** How many steps without any answer end the way. */
export const mostUnknown = 15

/** The end of the way within these steps, which begin with the first; undefined when it goes on. */
export function endOf(steps: readonly Step[]): { ttl: number; reason: Traceroute['truncationReason'] } | undefined {
  let unknown = 0
  for (const { ttl, answers } of steps) {
    if (answers.some(({ kind }) => kind === 'reply')) return { ttl, reason: 'destinationReached' }
    const heard = answers.filter(hasSender)
    if (heard.length > 0 && heard.every(({ kind }) => kind === 'unreachable')) return { ttl, reason: 'unreachable' }
    unknown = heard.length === 0 ? unknown + 1 : 0
    if (unknown === mostUnknown) return { ttl, reason: 'maxUnknownHops' }
  }
  return undefined
}

/** The report of these steps. `otherwise` says why there are no more, where they do not end by themselves. */
export function extentOf(steps: readonly Step[], target: string, otherwise: Traceroute['truncationReason']): Extent {
  const end = endOf(steps)
  const walked = steps.filter(({ ttl }) => end === undefined || ttl <= end.ttl)
  const known = walked.findLastIndex(({ answers }) => answers.some(hasSender))
  const hops = walked.slice(0, known + 1).map((step) => hopOf(step, target))
  const truncationReason = end?.reason ?? otherwise
  return {
    hops,
    totalHops: hops.length,
    destinationReached: truncationReason === 'destinationReached',
    truncationReason,
  }
}

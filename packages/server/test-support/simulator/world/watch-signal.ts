import type { HealthLook } from '../../../src/health/health-watch.ts'
import { alertedAfterMs, overAfterMs } from '../../../src/health/troubles/thresholds.ts'
import type { WorldView } from '../chronicle.ts'
import type { Delivery } from '../sim-channel.ts'

/** A process that runs, with what it says of the installation. */
export interface Speaker {
  /** The same as long as this process lives. */
  life: object
  isLeading: boolean
  look: HealthLook | undefined
}

export interface SignalWatched {
  /** True time. */
  now(): number
  speakers(): Speaker[]
  inbox: readonly Delivery[]
  /** Why nothing can be watched, or nothing be told, at this moment. */
  blindness(): string | undefined
  channelIsBroken(): boolean
}

/** The longest limit of the signal, and a look: from then on it is said that nothing can be watched. */
const noticedMs = 150_000
/** A message that was refused is tried again. */
const arrivesMs = 75_000

/**
 * Compares, at each call, what the servers say of the installation with what can be watched, and with what was told. Adds
 * to the sentences that nothing excuses what is not said, and what is said and not told.
 */
export function signalWatch(watched: SignalWatched, view: WorldView): () => void {
  const complain = complaints(view.unexcused)
  const blind = duration()
  const troubles = new Map<string, { seen: Duration; gone: Duration }>()
  const told = openTroubles(watched.inbox, view)
  return () => {
    const now = watched.now()
    const running = watched.speakers()
    const leader = running.find(({ isLeading }) => isLeading)
    // A server that starts, or takes over, counts anew.
    const heads = leader ? [leader] : running
    const shown = running.flatMap(({ look }) => look?.troubles ?? [])
    for (const { key, code, title } of shown) view.troubles.set(title, { key, code })
    const open = told()

    const blindness = heads.some(hasChecks) ? watched.blindness() : undefined
    const isSaid = open.size > 0 || heads.some(({ look }) => look?.ready !== true)
    const blindMs = blind(now, blindness !== undefined, heads.at(0)?.life)
    complain('blind', blindMs > noticedMs && !isSaid, () => `${blindness}, and at ${timeText(now)} nobody says so`)

    const seen = new Set(leader?.look?.troubles.map(({ key }) => key))
    for (const key of new Set([...troubles.keys(), ...seen, ...open])) {
      const times = troubles.get(key) ?? { seen: duration(), gone: duration() }
      troubles.set(key, times)
      // What a broken channel refused for good is told again some time later.
      const isJudged = leader !== undefined && !watched.channelIsBroken()
      const seenMs = times.seen(now, isJudged && seen.has(key), leader?.life)
      const goneMs = times.gone(now, isJudged && !seen.has(key), leader?.life)
      const isUntold = seenMs > alertedAfterMs + arrivesMs && !open.has(key)
      complain(`untold ${key}`, isUntold, () => `${key} lasts, and at ${timeText(now)} nobody was told`)
      const isLeftOpen = goneMs > overAfterMs + arrivesMs && open.has(key)
      complain(`open ${key}`, isLeftOpen, () => `${key} is over, and at ${timeText(now)} nobody was told`)
    }
  }
}

const hasChecks = ({ look }: Speaker): boolean => (look?.facts.schedule.checks ?? 1) > 0

const timeText = (at: number): string => new Date(at).toISOString().slice(11, 19)

/** Troubles that were told, and whose end was not. */
function openTroubles(inbox: readonly Delivery[], { troubles }: WorldView): () => ReadonlySet<string> {
  const open = new Map<string, string>()
  let read = 0
  return () => {
    for (const { system, alertType, checkId: id } of inbox.slice(read)) {
      if (alertType === 'ALERT_SYSTEM_RECOVERY') open.delete(id)
      else if (system !== undefined) open.set(id, troubles.get(system)?.key ?? system)
    }
    read = inbox.length
    return new Set(open.values())
  }
}

/** For how long a condition has held by the same process, in milliseconds. */
type Duration = (now: number, holds: boolean, by: object | undefined) => number

function duration(): Duration {
  let from: number | undefined
  let holder: object | undefined
  return (now, holds, by) => {
    if (!holds || by !== holder) from = undefined
    holder = by
    if (!holds) return 0
    from ??= now
    return now - from
  }
}

/** Says each thing once for as long as it is so. */
function complaints(said: string[]): (about: string, isWrong: boolean, sentence: () => string) => void {
  const current = new Set<string>()
  return (about, isWrong, sentence) => {
    if (isWrong && !current.has(about)) said.push(sentence())
    if (isWrong) current.add(about)
    else current.delete(about)
  }
}

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
  const told = openTroubles(watched.inbox, view)
  const judgeBlindness = blindness(watched, complain)
  const judgeTroubles = untold(watched, complain)
  return () => {
    const running = watched.speakers()
    for (const { key, code, title, over } of running.flatMap(({ look }) => look?.troubles ?? []))
      for (const words of [title, over]) view.troubles.set(words, { key, code })
    const open = told()
    const leader = running.find(({ isLeading }) => isLeading)
    judgeBlindness(leader ? [leader] : running, open)
    judgeTroubles(leader, open)
  }
}

/** While nothing can be watched or told, a server that was there from the beginning says so. */
function blindness(watched: SignalWatched, complain: Complain) {
  const blind = duration()
  return (heads: readonly Speaker[], open: ReadonlySet<string>): void => {
    const now = watched.now()
    const why = heads.some(hasChecks) ? watched.blindness() : undefined
    const isSaid = open.size > 0 || heads.some(({ look }) => look?.ready !== true)
    const isUnsaid = blind(now, why !== undefined, heads[0]?.life) > noticedMs && !isSaid
    complain('blindness', isUnsaid, () => `${why}, and at ${timeText(now)} nobody says so`)
  }
}

/** While one of these lasts, nothing is known of others. */
const hiding: ReadonlySet<string> = new Set(['DATABASE_AWAY', 'NO_SCHEDULER', 'NO_AGENT'])

/** What the leader says is told, and so is its end. */
function untold(watched: SignalWatched, complain: Complain) {
  const troubles = new Map<string, { seen: Duration; gone: Duration }>()
  return (leader: Speaker | undefined, open: ReadonlySet<string>): void => {
    const now = watched.now()
    const said = saidBy(leader)
    // What a broken channel refused for good is told again some time later.
    const isJudged = leader !== undefined && !watched.channelIsBroken()
    for (const key of new Set([...troubles.keys(), ...said.keys, ...open])) {
      const times = troubles.get(key) ?? { seen: duration(), gone: duration() }
      troubles.set(key, times)
      const isSaid = said.keys.has(key)
      const isGone = !isSaid && !said.hidesOthers && isProvenOver(key, leader)
      const seenMs = times.seen(now, isJudged && isSaid, leader?.life)
      const goneMs = times.gone(now, isJudged && isGone, leader?.life)
      const isUntold = seenMs > alertedAfterMs + arrivesMs && !open.has(key)
      complain(`${key} lasts`, isUntold, () => `${key} lasts, and at ${timeText(now)} nobody was told`)
      const isLeftOpen = goneMs > overAfterMs + arrivesMs && open.has(key)
      complain(`${key} is over`, isLeftOpen, () => `${key} is over, and at ${timeText(now)} nobody was told`)
    }
  }
}

function saidBy(leader: Speaker | undefined): { keys: ReadonlySet<string>; hidesOthers: boolean } {
  const troubles = leader?.look?.troubles ?? []
  return { keys: new Set(troubles.map(({ key }) => key)), hidesOthers: troubles.some(({ code }) => hiding.has(code)) }
}

/** That runs have no known outcome is over when one has: where agents stand still that may take long. */
const isProvenOver = (key: string, leader: Speaker | undefined): boolean =>
  key !== 'NOTHING_KNOWN' || (leader?.look?.facts.unknownRuns.count === 0 && leader.look.facts.ingest.works)

const hasChecks = ({ look }: Speaker): boolean => (look?.facts.schedule.checks ?? 1) > 0

const timeText = (at: number): string => new Date(at).toISOString().slice(11, 19)

/** Troubles that were told, and whose end was not. */
function openTroubles(inbox: readonly Delivery[], { troubles }: WorldView): () => ReadonlySet<string> {
  const open = new Map<string, string>()
  let read = 0
  return () => {
    for (const { system, alertType, checkId: id } of inbox.slice(read))
      for (const words of system?.split('; ') ?? []) {
        const key = troubles.get(words)?.key
        if (alertType === 'ALERT_SYSTEM') open.set(key ?? words, id)
        else if (key !== undefined) open.delete(key)
        // It ended in another way than by being mended.
        else for (const [each, of] of open) if (of === id) open.delete(each)
      }
    read = inbox.length
    return new Set(open.keys())
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
type Complain = (about: string, isWrong: boolean, sentence: () => string) => void

function complaints(said: string[]): Complain {
  const current = new Set<string>()
  return (about, isWrong, sentence) => {
    if (isWrong && !current.has(about)) said.push(sentence())
    if (isWrong) current.add(about)
    else current.delete(about)
  }
}

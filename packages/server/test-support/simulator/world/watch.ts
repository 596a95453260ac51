import type { Span, WorldView } from '../chronicle.ts'
import { signalWatch, type SignalWatched } from './watch-signal.ts'

/** Without trouble a server leads at the latest after this time. */
const takeOverMs = 15_000
const everyMs = 1000

export interface Watched extends SignalWatched {
  after(delayMs: number, call: () => void): unknown
  /** Some server could lead: its process runs and the database stores. */
  couldLead(): boolean
  /** The answers to the next commits of whoever could lead are lost. */
  losesAnswers(): boolean
  isLed(): boolean
  /** By location: whether all agents there are well, and whether one can call. */
  agents(): ReadonlyMap<string, { areWell: boolean; canCall: boolean }>
}

/** Records once a second who could watch and tell. Returns the troubles of servers that nothing excuses. */
export function watchWorld(watched: Watched, view: WorldView, unexcused: string[]): void {
  let ledAt = watched.now()
  let wasUnable = watched.now()
  let told = false
  const followSignal = signalWatch(watched, view)
  const look = (): void => {
    const now = watched.now()
    if (!watched.couldLead() || watched.losesAnswers()) wasUnable = now
    if (watched.isLed() && watched.couldLead()) {
      ledAt = now
      told = false
    } else extend(view.serverTroubles, now)
    if (!told && now - Math.max(ledAt, wasUnable) > takeOverMs) {
      told = true
      unexcused.push(`nobody leads since ${new Date(ledAt).toISOString()}`)
    }
    for (const [location, { areWell, canCall }] of watched.agents()) {
      if (!areWell) extend(spansAt(view.agentTroubles, location), now)
      if (!canCall) extend(spansAt(view.unreachable, location), now)
    }
    followSignal()
    watched.after(everyMs, look)
  }
  look()
}

function spansAt(places: Map<string, Span[]>, location: string): Span[] {
  const spans = places.get(location) ?? []
  places.set(location, spans)
  return spans
}

/** Adds the second that ends now to the spans. */
export function extend(spans: Span[], now: number): void {
  const last = spans.at(-1)
  if (last !== undefined && now - last.to <= everyMs + 500) last.to = now
  else spans.push({ from: now - everyMs, to: now })
}

import type { Span, WorldView } from '../chronicle.ts'

/** Without trouble a server leads at the latest after this time. */
const takeOverMs = 15_000
const everyMs = 1000

export interface Watched {
  /** True time. */
  now(): number
  after(delayMs: number, call: () => void): unknown
  /** Some server could lead: its process runs and the database stores. */
  couldLead(): boolean
  isLed(): boolean
  /** By location: whether all agents there are well. */
  agents(): ReadonlyMap<string, boolean>
}

/** Records once a second who could watch and tell. Returns the troubles of servers that nothing excuses. */
export function watchWorld(watched: Watched, view: WorldView, unexcused: string[]): void {
  let ledAt = watched.now()
  let wasUnable = watched.now()
  let told = false
  const look = (): void => {
    const now = watched.now()
    if (!watched.couldLead()) wasUnable = now
    if (watched.isLed() && watched.couldLead()) {
      ledAt = now
      told = false
    } else extend(view.serverTroubles, now)
    if (!told && now - Math.max(ledAt, wasUnable) > takeOverMs) {
      told = true
      unexcused.push(`nobody leads since ${new Date(ledAt).toISOString()}`)
    }
    for (const [location, isWell] of watched.agents()) {
      const spans = view.agentTroubles.get(location) ?? []
      view.agentTroubles.set(location, spans)
      if (!isWell) extend(spans, now)
    }
    watched.after(everyMs, look)
  }
  look()
}

/** Adds the second that ends now to the spans. */
function extend(spans: Span[], now: number): void {
  const last = spans.at(-1)
  if (last !== undefined && now - last.to <= everyMs + 500) last.to = now
  else spans.push({ from: now - everyMs, to: now })
}

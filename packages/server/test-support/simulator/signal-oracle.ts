import type { Chronicle, Span, WorldView } from './chronicle.ts'
import type { Delivery } from './sim-channel.ts'
import { extended, union } from './schedule-spans.ts'

/** An alert comes at most this long after its trouble, which may have ended meanwhile: limits, looks and tries. */
const afterMs = 15 * 60_000
/** A trouble counts as over when it was not seen for this long. */
const overMs = 5 * 60_000
/** What was told directly is written down at most this long after the trouble of the database. */
const writtenMs = 60_000

/** Alerts of the installation itself: with a ground, once per trouble, and its recovery after it. */
export function wrongSystemAlerts({ inbox, world }: Chronicle): string[] {
  if (world === undefined) return []
  const alerts = firstArrivals(inbox, world)
  const early = alerts.filter((alert) => isStillSo(alert, world))
  return [
    ...disorderly(alerts, world),
    ...alerts.filter((alert) => !isGrounded(alert, world)).map((alert) => told(alert, 'has no ground')),
    ...early.map((alert) => told(alert, 'came although no agent has called meanwhile')),
  ]
}

interface Arrival {
  /** Of the message's trouble; several that are told together share it. */
  id: string
  title: string
  /** Of the trouble, as far as a server has shown it. */
  key: string
  code: string | undefined
  isRecovery: boolean
  at: number
}

/** A message may be sent more than once, and tell of several troubles. */
function firstArrivals(inbox: readonly Delivery[], { troubles }: WorldView): Arrival[] {
  const seen = new Set<string>()
  return inbox.flatMap(({ alertId, checkId: id, system, alertType, at = 0 }) => {
    if (system === undefined || seen.has(alertId)) return []
    seen.add(alertId)
    const isRecovery = alertType === 'ALERT_SYSTEM_RECOVERY'
    return system.split('; ').map((title) => {
      const { key, code } = troubles.get(title) ?? { key: title, code: undefined }
      return { id, title, at, isRecovery, key, code }
    })
  })
}

/** Alerts that came twice for one trouble, and recoveries of what nobody was told. */
function disorderly(alerts: readonly Arrival[], world: WorldView): string[] {
  const broken: string[] = []
  const open = new Map<string, Arrival>()
  const unwritten = union(extended(world.serverTroubles, 0, writtenMs))
  for (const alert of alerts) {
    const before = open.get(alert.key)
    const mayBeForgotten = before !== undefined && unwritten.some((span) => contains(span, before.at))
    if (!alert.isRecovery) {
      if (before !== undefined && !mayBeForgotten) broken.push(told(alert, 'was alerted twice'))
      open.set(alert.key, alert)
      continue
    }
    // Other words than those of a known trouble end all that were told with it.
    const ended = alert.code === undefined ? [...open.values()].filter(({ id }) => id === alert.id) : [before]
    // A channel that refused the alert for good may hear of its end.
    const isEarly = ended.every((one) => one === undefined) && world.brokenChannel.length === 0
    if (isEarly) broken.push(told(alert, 'came before its alert'))
    for (const one of ended) if (one !== undefined) open.delete(one.key)
  }
  return broken
}

/** No agent could call for as long as it takes to be over. */
function isStillSo({ key, code, at, isRecovery }: Arrival, { unreachable, changes }: WorldView): boolean {
  if (!isRecovery) return false
  const span = { from: at - overMs, to: at }
  const lasts = (spans: readonly Span[] = []) => spans.some(({ from, to }) => from <= span.from && span.to <= to)
  // A location that no check uses any more needs no agent.
  if ([...changes.values()].flat().some(({ from, to }) => from <= span.to && span.from <= to)) return false
  if (code === 'NO_AGENT') return [...unreachable.values()].every(lasts)
  return code === 'LOCATION_WITHOUT_AGENT' && lasts(unreachable.get(placeOf(key)))
}

const placeOf = (key: string): string => key.slice(key.indexOf(' ') + 1)

const told = ({ title, at }: Arrival, what: string): string =>
  `the alert "${title}" of ${new Date(at).toISOString().slice(11, 19)} ${what}`

function isGrounded({ key, code = '', at, isRecovery }: Arrival, world: WorldView): boolean {
  if (isRecovery) return true
  const recently: Recently = (spans) => extended(spans, 0, afterMs).some((span) => contains(span, at))
  return grounds[code]?.(world, recently, placeOf(key)) ?? false
}

type Recently = (spans: readonly Span[]) => boolean

const ofServers = ({ serverTroubles }: WorldView, recently: Recently): boolean => recently(serverTroubles)

/** What must have happened before an alert of each kind. Of kinds that are not here there may be none. */
const grounds: Partial<Record<string, (world: WorldView, recently: Recently, location: string) => boolean>> = {
  DATABASE_AWAY: ofServers,
  NO_SCHEDULER: ofServers,
  RESULTS_NOT_STORED: ofServers,
  NOTIFICATIONS_NOT_SENT: ofServers,
  DISK_NEARLY_FULL: ofServers,
  // A location without checks does not count, however well its agents are.
  NO_AGENT: ({ agentTroubles }, recently) => [...agentTroubles.values()].some(recently),
  NOTHING_KNOWN: ({ agentTroubles }, recently) => [...agentTroubles.values()].some(recently),
  LOCATION_WITHOUT_AGENT: ({ agentTroubles, deadLocations }, recently, location) =>
    location === 'builtin' ? deadLocations.size > 0 : recently(agentTroubles.get(location) ?? []),
  AGENT_SILENT: ({ agentTroubles }, recently) => [...agentTroubles.values()].some(recently),
  CLOCK_LEAPT: ({ leaps }) => leaps.length > 0,
  NOTIFICATIONS_FAILING: ({ brokenChannel, leaps }, recently) => recently(brokenChannel) || leaps.length > 0,
}

const contains = ({ from, to }: Span, at: number): boolean => from <= at && at <= to

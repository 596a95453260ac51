import type { Database } from '../../../src/db/database.ts'
import type { Chronicle, WorldView } from '../chronicle.ts'
import type { Blow } from '../script.ts'
import { subscribe, type Listener } from '../sim-checks.ts'
import type { TestClock } from '../../clock.ts'
import type { AgentHost } from './agent-host.ts'
import type { DatabaseFaults } from './fallible-database.ts'
import type { ServerHost } from './server-host.ts'

/** The parts of a world that can be struck. */
export interface Stricken {
  db: Database
  clock: TestClock
  servers: ReadonlyMap<string, ServerHost>
  agents: ReadonlyMap<string, AgentHost>
  faults: DatabaseFaults & { channelIsBroken: boolean }
  listener: Listener
  chronicle: Chronicle
  view: WorldView
}

/** How long a change takes to have its effect everywhere. */
const changeMs = 10_000
/** A run that began before a change may end this much later. */
const settleMs = 120_000

/** Lets it happen. What lasts is ended by a timer. */
export function strike(world: Stricken, blow: Blow): void {
  if ('agent' in blow) strikeAgent(world, blow)
  else if ('check' in blow) strikeCheck(world, blow)
  else strikeServer(world, blow)
}

type Of<Key extends string> = Extract<Blow, Record<Key, unknown>>
type OfServer = Exclude<Blow, Of<'agent'> | Of<'check'>>

function strikeServer(world: Stricken, blow: OfServer): void {
  const { clock, faults, view } = world
  const now = clock.now()
  if (blow.kind === 'refuse commits') {
    faults.refusesCommits = true
    clock.after(blow.forMs, () => (faults.refusesCommits = false))
  } else if (blow.kind === 'silence database') {
    faults.isSilent = true
    clock.after(blow.forMs, () => (faults.isSilent = false))
  } else if (blow.kind === 'break channel') {
    faults.channelIsBroken = true
    view.brokenChannel.push({ from: now, to: now + blow.forMs })
    clock.after(blow.forMs, () => (faults.channelIsBroken = false))
  } else {
    const host = world.servers.get(blow.server)
    if (host === undefined) return
    if (blow.kind === 'kill') host.kill(blow.afterCalls, blow.forMs)
    else if (blow.kind === 'pause') host.pause(blow.afterCalls, blow.forMs)
    else if (blow.kind === 'lose answers') host.life?.loseAnswers(blow.count)
    else {
      const before = host.clock.now()
      host.clock.setWall(blow.byMs)
      const after = host.clock.now()
      if (world.servers.size > 1) view.clocksDiffer = true
      view.leaps.push({ from: Math.min(before, after), to: Math.max(before, after) })
    }
  }
}

function strikeAgent({ agents, clock }: Stricken, blow: Of<'agent'>): void {
  const host = agents.get(blow.agent)
  if (host === undefined) return
  const later = (call: () => void) => void ('forMs' in blow && clock.after(blow.forMs, call))
  const blows: Record<Of<'agent'>['kind'], () => void> = {
    crash: () => {
      void host.crash()
      later(() => void host.start())
    },
    'pause agent': () => {
      const { life } = host
      life.pause()
      later(() => life.resume())
    },
    'cut off': () => {
      host.link.cut = blow.kind === 'cut off' && blow.silently ? 'silent' : 'refused'
      later(() => (host.link.cut = undefined))
    },
    'fill disk': () => {
      void host.fillDisk()
      later(() => host.freeDisk())
    },
    wedge: () => {
      host.wedged = true
      later(() => {
        host.wedged = false
        // Somebody replaces it.
        void host.crash().then(() => host.start())
      })
    },
    unplug: () => {
      host.unplugged = true
      later(() => (host.unplugged = false))
    },
    'set clock of agent': () => host.clock.setWall('byMs' in blow ? blow.byMs : 0),
  }
  blows[blow.kind]()
}

function strikeCheck(world: Stricken, blow: Of<'check'>): void {
  const { servers, chronicle, view, clock, listener, db } = world
  const check = chronicle.checks[blow.check]
  if (check === undefined) return
  const failed = (error: unknown) => void chronicle.errors.push(`${blow.kind} was refused. ${String(error)}`)
  if (blow.kind === 'subscribe') {
    view.subscribed.add(check.id)
    void subscribe(db, listener.accountId, listener.otherChannelId, check.id).catch(failed)
    return
  }
  const server = serverFor(servers, blow.through)
  if (server === undefined) return
  if (blow.kind === 'request run') {
    server.dispatch.requestRun(check.id, 'SCHEDULE_NOW').then((run) => {
      for (const id of run?.resultIds ?? []) {
        chronicle.requested.push(id)
        view.requestedOf.set(id, check.id)
      }
    }, failed)
    return
  }
  const now = clock.now()
  const spans = view.changes.get(check.id) ?? []
  view.changes.set(check.id, [...spans, { from: now, to: now + changeMs + settleMs }])
  const work =
    blow.kind === 'delete'
      ? server.remove(check.accountId, check.id)
      : server.change(check.accountId, check.id, blow.sent)
  work.catch(failed)
}

/** A process that runs: the one that is named, or the leader, or any. */
function serverFor(servers: ReadonlyMap<string, ServerHost>, name: string | undefined) {
  const hosts = [...servers.values()].filter((host) => host.life?.running)
  const host = name === undefined ? (hosts.find((each) => each.isLeading) ?? hosts[0]) : servers.get(name)
  return host?.life?.running ? host.server : undefined
}

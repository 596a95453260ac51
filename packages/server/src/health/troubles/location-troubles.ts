import type { Trouble } from '../../trouble.ts'
import type { HealthFacts, LocationFact } from '../facts/facts.ts'
import { thresholds } from './thresholds.ts'
import { minutesText } from './trouble-text.ts'

/** Troubles of single locations, agents and channels. None while no agent at all is connected: that is one trouble. */
export function locationTroubles(facts: HealthFacts): Trouble[] {
  const channels = facts.leading ? failingChannels(facts) : []
  if (!facts.leading || facts.noAgentMs >= thresholds.noAgentMs) return channels
  return [...withoutAgent(facts), ...silentAgents(facts), ...channels]
}

/** Key of the trouble of all locations that the built-in agent serves. */
export const builtinLocations = 'LOCATION_WITHOUT_AGENT builtin'

/** No agent serves it, for longer than a restart takes. */
export const isDead = ({ withoutAgentMs }: LocationFact): boolean => withoutAgentMs >= thresholds.locationWithoutAgentMs

/** No agent has ever served it, and for long enough to say so. */
const isAwaited = ({ awaited, withoutAgentMs }: LocationFact): boolean =>
  awaited && withoutAgentMs >= thresholds.locationAwaitedMs

function withoutAgent({ now, locations }: HealthFacts): Trouble[] {
  const dead = locations.filter((one) => isDead(one) || isAwaited(one))
  const own = dead.filter(({ served }) => served === 'by-own')
  const shared = dead.filter(({ served }) => served === 'by-builtin')
  return [
    ...own.map((one) => locationTrouble(now, `LOCATION_WITHOUT_AGENT ${one.id}`, one, [one])),
    // The built-in agent serves all of these: its absence is one trouble.
    ...shared.slice(0, 1).map((one) => locationTrouble(now, builtinLocations, one, shared)),
  ]
}

function locationTrouble(now: number, key: string, first: LocationFact, all: readonly LocationFact[]): Trouble {
  const names = all.map(({ name }) => name).join(', ')
  const forMs = Math.max(...all.map(({ withoutAgentMs }) => withoutAgentMs))
  return {
    key,
    code: 'LOCATION_WITHOUT_AGENT',
    severity: 'warning',
    subject: all.length === 1 ? first.name : 'Vedette',
    accountId: first.accountId,
    location: all.length === 1 ? first.id : null,
    title: first.awaited ? `No agent has ever connected for ${names}` : `No agent serves ${names}`,
    over: `An agent serves ${names} again`,
    text: first.awaited
      ? `${names} has a key, but no agent has ever connected with it: checks do not run there.`
      : `No agent of ${names} has been heard from for ${minutesText(forMs)}: checks do not run there.`,
    advice: 'Start an agent there, see that it reaches this server, or take the location out of the checks.',
    since: now - forMs,
  }
}

function silentAgents({ now, agents }: HealthFacts): Trouble[] {
  return agents
    .filter((one) => one.silentMs >= thresholds.agentSilentMs && !one.replaced && one.others > 0)
    .map((one) => ({
      key: `AGENT_SILENT ${one.agentId}`,
      code: 'AGENT_SILENT',
      severity: 'warning',
      subject: one.name,
      accountId: one.accountId,
      location: null,
      title: `An agent of ${one.name} is silent`,
      over: `The agent of ${one.name} is heard again, or no longer expected`,
      text: `Agent ${one.agentId} has not called for ${minutesText(one.silentMs)}; ${one.others} more run there.`,
      advice: 'See that its host runs and reaches this server. After an hour of silence it is no longer expected.',
      since: now - one.silentMs,
    }))
}

const failingChannels = ({ failingChannels: failing }: HealthFacts): Trouble[] =>
  failing.map(({ accountId, channels, since }) => ({
    key: `NOTIFICATIONS_FAILING ${accountId}`,
    code: 'NOTIFICATIONS_FAILING',
    severity: 'warning',
    subject: 'Vedette',
    accountId,
    location: null,
    title: 'Notifications are not accepted',
    over: 'Notifications are accepted again',
    text: `What was last sent over ${channels.join(', ')} was not accepted.`,
    advice: 'The page of channels shows the last answer. Mend what it says, then send a test message.',
    since,
  }))

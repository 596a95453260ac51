import { troubleCodes, type Health } from '@vedette/wire'
import type { Trouble } from '../../trouble.ts'
import type { HealthFacts } from '../facts/facts.ts'
import type { HealthLook } from '../health-watch.ts'
import { ofInstallation } from '../troubles/trouble-text.ts'
import { reportOf, type HealthReport } from './health-report.ts'
import type { LeaderReport } from './shared-signal.ts'

/** Whether this server schedules, or another one does. */
export const roleOf = ({ leading, otherLeads }: Pick<HealthFacts, 'leading' | 'otherLeads'>): Health['role'] =>
  leading ? 'leading' : otherLeads ? 'standby' : 'none'

/** What this server can say of the whole installation. */
export interface KnownHealth extends HealthReport {
  role: Health['role']
  /** Host of the server that leads, as far as it is known. */
  leader: string | null
}

/**
 * A server that does not lead knows nothing of schedule, queue and agents: it says what the leader said, or that it does
 * not know.
 */
export function knownHealth(own: HealthLook, leader: LeaderReport | undefined, host: string): KnownHealth {
  const report = reportOf(own)
  const role = roleOf(own.facts)
  if (role === 'leading') return { ...report, role, leader: host }
  if (leader !== undefined)
    return { ...leader.report, troubles: united(report.troubles, leader.report.troubles), role, leader: leader.host }
  const isKnown = report.troubles.some(({ severity }) => severity === 'critical')
  const troubles = isKnown ? report.troubles : united(report.troubles, [notHeard(own.facts, role)])
  return { ...report, troubles, role, leader: null }
}

/** What this server sees itself comes first among equals. */
function united(own: readonly Trouble[], others: readonly Trouble[]): Trouble[] {
  const mine = new Set(own.map(({ key }) => key))
  const all = [...own, ...others.filter(({ key }) => !mine.has(key))]
  return all.toSorted((a, b) => troubleCodes.indexOf(a.code) - troubleCodes.indexOf(b.code))
}

const notHeard = ({ now }: HealthFacts, role: Health['role']): Trouble =>
  ofInstallation('LEADER_NOT_HEARD', 'warning', now, {
    title: 'Whether checks run is not known here',
    over: 'Whether checks run is known here again',
    text:
      role === 'standby'
        ? 'Another server schedules, and this one has not heard from it lately how it is.'
        : 'No server is known to schedule at this moment; one may be taking over.',
    advice: 'Look at the server that schedules. While another one takes over, this lasts for a few seconds.',
  })

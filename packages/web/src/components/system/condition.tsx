import { useQuery } from '@tanstack/react-query'
import type { Agent, Health } from '@vedette/wire'
import { StateIcon } from '../checks/state-mark.tsx'
import { agentsQuery } from '../locations/agents-query.ts'
import { isEmulated } from '../locations/emulated.ts'
import { durationText } from '../time/format-time.ts'
import { TimeAgo } from '../time/time-text.tsx'
import { troubleState } from './health-view.ts'

const roles: Record<Health['role'], string> = {
  leading: 'This server schedules.',
  standby: 'This server stands by: another one schedules.',
  none: 'No server is known to schedule.',
}

/** What is wrong with Vedette itself, and the times by which it is judged. */
export function Condition({ health }: { health: Health }) {
  const agents = useQuery(agentsQuery)
  return (
    <>
      {health.troubles.length === 0 && <p>All checks can run, and notifications go out. {roles[health.role]}</p>}
      {health.leader !== null && health.role === 'standby' && <p>The server that schedules runs on {health.leader}.</p>}
      <ul className="divide-y divide-line">
        {health.troubles.map((trouble) => (
          <li key={`${trouble.code} ${trouble.title}`} className="flex gap-2 py-2">
            <StateIcon state={troubleState(trouble)} />
            <span className="min-w-0 break-words">
              <span className="font-semibold">{trouble.title}</span>, began <TimeAgo at={trouble.since} />
              <span className="block">{trouble.text}</span>
              {trouble.reason !== null && <span className="block font-mono text-sm break-all">{trouble.reason}</span>}
              <span className="block text-ink-soft">{trouble.advice}</span>
            </span>
          </li>
        ))}
      </ul>
      <dl className="mt-3 grid gap-x-6 gap-y-1 text-sm">
        {factsOf(health, agents.data ?? []).map(([name, value]) => (
          <div key={name} className="flex justify-between gap-3 border-b border-line py-1">
            <dt className="text-ink-soft">{name}</dt>
            <dd className="text-right">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const ago = (seconds: number | null): string => (seconds === null ? 'not yet' : `${durationText(seconds * 1000)} ago`)

const gib = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`

const factsOf = ({ facts }: Health, agents: readonly Agent[]): [string, React.ReactNode][] => [
  ['Schedule looked at', ago(facts.lastTickSeconds)],
  ['Agents asked for work', ago(facts.lastLeaseSeconds)],
  ['Results stored', ago(facts.lastCommitSeconds)],
  ['Notifications looked for', ago(facts.lastDeliveryRoundSeconds)],
  ['Runs waiting', facts.waitingRuns],
  [
    'Disk free',
    facts.diskFreeBytes === null || facts.diskSizeBytes === null
      ? 'not known'
      : `${gib(facts.diskFreeBytes)} of ${gib(facts.diskSizeBytes)}`,
  ],
  ['Locations left out now', facts.openGaps.length === 0 ? 'none' : facts.openGaps.join(', ')],
  ['Agents online', agentsOnline(facts.agentsOnline, agents)],
  ['Last canary', facts.lastCanaryAt === null ? 'none' : <TimeAgo at={facts.lastCanaryAt} />],
]

function agentsOnline(counts: Health['facts']['agentsOnline'], agents: readonly Agent[]): string {
  if (counts.length === 0) return 'no location in use to show'
  const textOf = (location: string, online: number) =>
    isEmulated(location, agents) ? `${location}: emulated by this server` : `${location}: ${online}`
  return counts.map((count) => textOf(count.location, count.agents)).join(', ')
}

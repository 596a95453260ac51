import type { PrivateLocation, RunningAgents } from '@vedette/wire'
import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Panel } from '../../ui/panel.tsx'
import { TimeAgo } from '../time/time-text.tsx'

type Running = RunningAgents['agents'][number]

/** The agents of a private location: how busy they are, what they can do, and when they last called. */
export function LocationAgents({ location }: { location: PrivateLocation }) {
  const { name, runningAgents = [], lastSeen } = location
  return (
    <Panel title="Agents">
      {runningAgents.length === 0 ? (
        <p className="text-ink-soft">
          {lastSeen === null ? (
            'None has ever called: checks do not run here yet. Start one with a key of this location.'
          ) : (
            <>
              None runs now; the last one called <TimeAgo at={lastSeen} />.
            </>
          )}
        </p>
      ) : (
        <Capacity agents={runningAgents.flatMap(({ agents }) => agents)} />
      )}
      <ul aria-label={`Agents of ${name}`} className="divide-y divide-line empty:hidden">
        {runningAgents.flatMap(({ version, isOutdated, agents }) =>
          agents.map((agent) => <AgentRow key={agent.id} agent={agent} version={version} isOutdated={isOutdated} />),
        )}
      </ul>
    </Panel>
  )
}

/** Where less than this share of slots is free, runs will soon wait. */
const crowded = 0.9

function Capacity({ agents }: { agents: readonly Running[] }) {
  const running = agents.reduce((sum, agent) => sum + (agent.running ?? 0), 0)
  const slots = agents.reduce((sum, agent) => sum + (agent.slots ?? 0), 0)
  return (
    <dl className="mb-2 flex flex-wrap gap-x-8 gap-y-2">
      <Figure label="Running now">
        {running} of {slots}
      </Figure>
      <Figure label="State">
        {running > slots * crowded ? <Badge tone="degraded">nearly full: start another</Badge> : 'has room'}
        {agents.length === 1 && <span className="text-ink-soft">, one agent only</span>}
      </Figure>
    </dl>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  )
}

function AgentRow({ agent, version, isOutdated }: { agent: Running; version: string; isOutdated: boolean }) {
  const { id, lastSeenAt, capabilities, running, slots } = agent
  return (
    <li className="py-2">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <code className="font-mono text-sm break-all">{id}</code>
        {isOutdated && <Badge tone="degraded">outdated: update it</Badge>}
        {capabilities.map((each) => (
          <Chip key={each}>{each}</Chip>
        ))}
      </p>
      <p className="text-sm text-ink-soft">
        Version {version}, {running ?? 0} of {slots ?? 'unknown'} runs, last heard <TimeAgo at={lastSeenAt} />
        {capabilities.length === 0 && ', without special capabilities: pings are not known here'}
      </p>
    </li>
  )
}

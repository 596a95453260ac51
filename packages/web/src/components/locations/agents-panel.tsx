import { useQuery } from '@tanstack/react-query'
import type { Agent } from '@vedette/wire'
import { Badge } from '../../ui/badge.tsx'
import { Fault, Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StateIcon } from '../checks/state-mark.tsx'
import { durationText } from '../time/format-time.ts'
import { TimeAgo } from '../time/time-text.tsx'
import { agentsQuery } from './agents-query.ts'

/** The agents and their condition. */
export function AgentsPanel() {
  const agents = useQuery(agentsQuery)
  return (
    <Panel title="Agents" isFlush>
      {agents.isError && (
        <div className="px-4 pb-3">
          <Fault text={agents.error.message} onRetry={() => void agents.refetch()} />
        </div>
      )}
      {agents.isPending && <Skeleton label="Reading agents" className="px-4 pb-3" />}
      <ul aria-label="Agents" className="divide-y divide-line">
        {agents.data?.map((agent) => (
          <AgentRow key={agent.agentId} agent={agent} />
        ))}
      </ul>
    </Panel>
  )
}

function AgentRow({ agent }: { agent: Agent }) {
  const isOnline = agent.state === 'online'
  return (
    <li className="px-4 py-2.5">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">
          {agent.kind === 'builtin' ? 'Built-in agent, on this server' : `Agent for ${agent.locations.join(', ')}`}
        </span>
        <Badge tone={isOnline ? 'pass' : 'fail'} icon={<StateIcon state={isOnline ? 'passing' : 'failing'} />}>
          {agent.state}
        </Badge>
        {agent.emulated && <Badge tone="quiet">stands in for regions without an agent</Badge>}
      </p>
      <p className="mt-0.5 text-sm text-ink-soft">
        Version {agent.version}, last heard <TimeAgo at={agent.lastSeenAt} />, {agent.running} running,{' '}
        {agent.spooled === 0 ? 'no results waiting' : `${agent.spooled} results waiting`}, event loop{' '}
        {durationText(agent.eventLoopLagMs)} behind, {Math.round(agent.residentMb)} MB of memory
        {agent.clockOffsetMs !== null &&
          Math.abs(agent.clockOffsetMs) > 1000 &&
          `, clock off by ${durationText(Math.abs(agent.clockOffsetMs))}`}
        {agent.crashes > 0 && `, ${agent.crashes} ${agent.crashes === 1 ? 'crash' : 'crashes'} of its parts`}
      </p>
    </li>
  )
}

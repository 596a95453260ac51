import type { PrivateLocation } from '@vedette/wire'
import { Badge } from '../../ui/badge.tsx'
import { StateIcon } from '../checks/state-mark.tsx'

/** How many agents a private location has now. */
export function AgentsBadge({ location: { agentCount, lastSeen } }: { location: PrivateLocation }) {
  if (agentCount > 0)
    return (
      <Badge tone="pass" icon={<StateIcon state="passing" />}>
        {agentCount === 1 ? '1 agent' : `${agentCount} agents`}
      </Badge>
    )
  return lastSeen === null ? (
    <Badge tone="quiet">no agent yet</Badge>
  ) : (
    <Badge tone="fail" icon={<StateIcon state="failing" />}>
      no agent
    </Badge>
  )
}

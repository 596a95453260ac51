import { useQuery } from '@tanstack/react-query'
import { PagePlaceOf } from '../app/page-place.ts'
import { useSession } from '../app/session.ts'
import { AgentKeysPanel } from '../components/locations/agent-keys-panel.tsx'
import { AgentsPanel } from '../components/locations/agents-panel.tsx'
import { CoverageGapsPanel } from '../components/system/coverage-gaps.tsx'
import { PrivateLocationsPanel } from '../components/locations/private-locations-panel.tsx'
import { agentsQuery } from '../components/locations/agents-query.ts'
import { agentTrouble } from '../components/system/agent-trouble.ts'

/** From where checks run: the agents, the keys with which they sign in, and when nothing was watched. */
export function LocationsPage() {
  const session = useSession()
  const agents = useQuery(agentsQuery)
  const trouble = agents.data && agentTrouble(agents.data)
  return (
    <>
      <PagePlaceOf title="Locations" />
      <h1 className="mb-3 text-xl font-semibold tracking-tight">Locations</h1>
      {trouble && <p className="mb-3 font-medium text-fail">{trouble}</p>}
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <div className="flex flex-col gap-4">
          <PrivateLocationsPanel />
          <AgentsPanel />
        </div>
        <div className="flex flex-col gap-4">
          {session.data?.role === 'admin' && <AgentKeysPanel />}
          <CoverageGapsPanel />
        </div>
      </div>
    </>
  )
}

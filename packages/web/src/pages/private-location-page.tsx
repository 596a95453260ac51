import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { PrivateLocation } from '@vedette/wire'
import { Pencil } from 'lucide-react'
import { useEffect, useState } from 'react'
import { isNowhere } from '../api/client.ts'
import { PagePlaceOf } from '../app/page-place.ts'
import { AgentCommand } from '../components/locations/agent-command.tsx'
import { AgentsBadge } from '../components/locations/agents-badge.tsx'
import { LocationAgents } from '../components/locations/location-agents.tsx'
import { LocationKeys } from '../components/locations/location-keys.tsx'
import { LocationQueue } from '../components/locations/location-queue.tsx'
import { LocationIcon } from '../components/locations/location-signs.tsx'
import { LocationUses } from '../components/locations/location-uses.tsx'
import { PrivateLocationForm } from '../components/locations/private-location-form.tsx'
import { newKeyOf, privateLocationQuery } from '../components/locations/private-locations-query.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fault } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { NotFoundPage } from './not-found-page.tsx'

/** A network of the account's own: its agents and their capacity, its queue, its keys, and what runs there. */
export function PrivateLocationPage() {
  const { locationId } = useParams({ from: '/shell/locations/$locationId' })
  return <PageOf key={locationId} locationId={locationId} />
}

function PageOf({ locationId }: { locationId: string }) {
  const location = useQuery(privateLocationQuery(locationId))
  const newKey = useNewKey(locationId)
  if (location.isPending) return <Skeleton label="Reading the private location" lines={6} />
  if (isNowhere(location.error)) return <NotFoundPage what="private location" />
  if (!location.data) return <Fault text={location.error.message} onRetry={() => void location.refetch()} />
  const { id, name } = location.data
  return (
    <>
      <PagePlaceOf title={name} crumbs={[{ label: 'Locations', to: '/locations' }, { label: name }]} />
      <Head location={location.data} />
      {newKey !== undefined && (
        <div className="mb-4">
          <AgentCommand rawKey={newKey} where={name} />
        </div>
      )}
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <LocationAgents location={location.data} />
          <LocationQueue id={id} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <LocationUses id={id} />
          <LocationKeys location={location.data} />
        </div>
      </div>
    </>
  )
}

/** The key that was just made with the location. Whoever comes back to the page, or reloads it, does not see it again. */
function useNewKey(locationId: string): string | undefined {
  const client = useQueryClient()
  const [newKey] = useState(() => client.getQueryData<string>(newKeyOf(locationId)))
  useEffect(() => client.removeQueries({ queryKey: newKeyOf(locationId) }), [client, locationId])
  return newKey
}

function Head({ location }: { location: PrivateLocation }) {
  const [isEditing, setEditing] = useState(false)
  const { name, slugName, icon, proxyUrl } = location
  return (
    <div className="mb-3 flex flex-wrap items-start justify-between gap-3">
      <div className="min-w-0">
        <h1 className="flex items-center gap-2 text-xl font-semibold tracking-tight">
          <LocationIcon icon={icon} />
          <span className="min-w-0 break-words">{name}</span>
        </h1>
        <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-soft">
          <code className="font-mono text-sm break-all">{slugName}</code>
          <AgentsBadge location={location} />
          {proxyUrl !== null && <span className="break-all">API checks go through {proxyUrl}.</span>}
        </p>
      </div>
      <Button icon={<Pencil aria-hidden="true" className="size-4" />} onClick={() => setEditing(true)}>
        Edit
      </Button>
      {isEditing && (
        <Dialog isOpen onClose={() => setEditing(false)} title={`Edit ${name}`}>
          <PrivateLocationForm location={location} onDone={() => setEditing(false)} />
        </Dialog>
      )}
    </div>
  )
}

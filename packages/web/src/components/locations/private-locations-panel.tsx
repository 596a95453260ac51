import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { PrivateLocation, PrivateLocationBase } from '@vedette/wire'
import { MapPin, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Fault, Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast, toastUndo } from '../../ui/toast.ts'
import { TimeAgo } from '../time/time-text.tsx'
import { AgentsBadge } from './agents-badge.tsx'
import { LocationIcon } from './location-signs.tsx'
import { PrivateLocationForm } from './private-location-form.tsx'
import { newKeyOf, privateLocationsQuery, useLocationsChanged } from './private-locations-query.ts'

/** What stands over the panel: the form of a new location, or of one that is to be changed. */
type Open = { kind: 'new' } | { kind: 'edit'; id: string }

/** Locations of the account itself, served by agents in its own network. */
export function PrivateLocationsPanel() {
  const locations = useQuery(privateLocationsQuery)
  const [open, setOpen] = useState<Open>()
  const all = locations.data ?? []
  const add = (
    <Button icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setOpen({ kind: 'new' })}>
      New private location
    </Button>
  )
  return (
    <Panel title="Private locations" isFlush aside={all.length > 0 && add}>
      {locations.isError && (
        <div className="px-4 pb-3">
          <Fault text={locations.error.message} onRetry={() => void locations.refetch()} />
        </div>
      )}
      {locations.isPending && <Skeleton label="Reading private locations" className="px-4 pb-3" />}
      {locations.data?.length === 0 && (
        <EmptyState icon={<MapPin />} title="There are none yet" actions={add}>
          A private location is a network of yours, such as an office. An agent that you start there runs checks of what
          only that network reaches; it calls this server and needs no open port.
        </EmptyState>
      )}
      <ul aria-label="Private locations" className="divide-y divide-line empty:hidden">
        {all.map((location) => (
          <LocationRow key={location.id} location={location} open={setOpen} />
        ))}
      </ul>
      {open && <OverThePanel what={open} locations={all} open={setOpen} />}
    </Panel>
  )
}

interface OverThePanelProps {
  what: Open
  locations: readonly PrivateLocation[]
  open: (what: Open | undefined) => void
}

function OverThePanel({ what, locations, open }: OverThePanelProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const close = () => open(undefined)
  const made = ({ id, keys }: PrivateLocationBase) => {
    client.setQueryData(newKeyOf(id), keys[0]?.rawKey)
    return navigate({ to: '/locations/$locationId', params: { locationId: id } })
  }
  if (what.kind === 'new')
    return (
      <Dialog isOpen onClose={close} title="New private location">
        <PrivateLocationForm onDone={(saved) => void made(saved)} />
      </Dialog>
    )
  const location = locations.find(({ id }) => id === what.id)
  if (location === undefined) return null
  return (
    <Dialog isOpen onClose={close} title={`Edit ${location.name}`}>
      <PrivateLocationForm location={location} onDone={close} />
    </Dialog>
  )
}

function LocationRow({ location, open }: { location: PrivateLocation; open: (what: Open) => void }) {
  const { id, name, slugName, icon, proxyUrl, lastSeen } = location
  const remove = useRemoveLocation(location)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2 px-4 py-2">
      <p className="flex min-h-control flex-wrap items-center gap-x-2 gap-y-1">
        <span className="flex min-w-0 items-center gap-2 font-medium">
          <LocationIcon icon={icon} />
          <Link
            to="/locations/$locationId"
            params={{ locationId: id }}
            className="min-w-0 break-words underline decoration-line-strong underline-offset-4 hover:text-accent max-md:py-2.5"
          >
            {name}
          </Link>
        </span>
        <code className="font-mono text-sm break-all text-ink-soft">{slugName}</code>
        <AgentsBadge location={location} />
      </p>
      <span className="flex">
        <IconButton
          label={`Edit ${name}`}
          icon={<Pencil className="size-4" />}
          onClick={() => open({ kind: 'edit', id })}
        />
        <IconButton
          label={`Delete ${name}`}
          icon={<Trash2 className="size-4" />}
          disabled={remove.isPending}
          onClick={() => remove.mutate()}
        />
      </span>
      <p className="col-span-2 text-sm text-ink-soft">
        {lastSeen === null ? (
          'No agent has ever called: checks do not run here yet.'
        ) : (
          <>
            Last heard <TimeAgo at={lastSeen} />.
          </>
        )}
        {proxyUrl !== null && ` API checks go through ${proxyUrl}.`}
      </p>
      {remove.isError && (
        <div className="col-span-2">
          <Fault text={remove.error.message} />
        </div>
      )}
    </li>
  )
}

function useRemoveLocation({ id, name }: PrivateLocation) {
  const changed = useLocationsChanged()
  const restore = useMutation({
    mutationFn: () => call('POST', `/v1/private-locations/${id}/restore`, {}),
    onSuccess: changed,
    onError: (error) => toast(error.message, 'fault'),
  })
  return useMutation({
    mutationFn: () => call('DELETE', `/v1/private-locations/${id}`),
    onSuccess: () => {
      toastUndo(`Deleted ${name}.`, () => restore.mutate())
      return changed()
    },
  })
}

import { useMutation } from '@tanstack/react-query'
import { mostLocationKeys, type PrivateLocation, type PrivateLocationKey } from '@vedette/wire'
import { Trash2 } from 'lucide-react'
import { call } from '../../api/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Fault } from '../../ui/panel.tsx'
import { toast } from '../../ui/toast.ts'
import { TimeAgo } from '../time/time-text.tsx'
import { AgentCommand } from './agent-command.tsx'
import { useLocationsChanged } from './private-locations-query.ts'
import { QueueFigures } from './queue-figures.tsx'

interface Props {
  location: PrivateLocation
  /** The key that was just made with the location. */
  rawKey?: string | undefined
  onClose: () => void
}

/** Keys, agents and queue of a private location, beside the page. */
export function LocationDetails({ location, rawKey, onClose }: Props) {
  return (
    <Sheet isOpen onClose={onClose} title={location.name}>
      <div className="flex flex-col gap-5">
        {rawKey !== undefined && <AgentCommand rawKey={rawKey} where={location.name} />}
        <Keys location={location} />
        <Agents location={location} />
        <QueueFigures id={location.id} />
      </div>
    </Sheet>
  )
}

function Keys({ location }: { location: PrivateLocation }) {
  const { id, keys } = location
  const changed = useLocationsChanged()
  const create = useMutation({
    mutationFn: () => call<PrivateLocationKey>('POST', `/v1/private-locations/${id}/keys`, {}),
    onSuccess: changed,
  })
  const revoke = useMutation({
    mutationFn: (keyId: string) => call('DELETE', `/v1/private-locations/${id}/keys/${keyId}`),
    onSuccess: () => {
      toast('The key is deleted: its agents are refused from now on.')
      return changed()
    },
    onError: (error) => toast(error.message, 'fault'),
  })
  const isFull = keys.length >= mostLocationKeys
  return (
    <section aria-labelledby={`keys-${id}`}>
      <h3 id={`keys-${id}`} className="text-sm font-semibold">
        Keys of its agents
      </h3>
      {keys.length === 0 && <p className="text-ink-soft">There is none: no agent can sign in here.</p>}
      <ul aria-label={`Keys of ${location.name}`} className="divide-y divide-line empty:hidden">
        {keys.map((key) => (
          <li key={key.id} className="flex items-center gap-x-3 py-1">
            <code className="font-mono text-sm">{key.maskedKey}</code>
            <span className="flex-1 text-sm text-ink-soft">
              made <TimeAgo at={key.created_at} />
            </span>
            <IconButton
              label={`Delete the key ${key.maskedKey}`}
              icon={<Trash2 className="size-4" />}
              disabled={revoke.isPending}
              onClick={() => revoke.mutate(key.id)}
            />
          </li>
        ))}
      </ul>
      <p className="mt-1 mb-2 text-sm text-ink-soft">
        {isFull
          ? 'Two keys is all there can be: delete the one that no agent uses any more to make the next.'
          : 'To change the key, make another one, start the agents anew with it, and delete the first.'}
      </p>
      {!isFull && (
        <Button isBusy={create.isPending} onClick={() => create.mutate()}>
          Make another key
        </Button>
      )}
      <div role="status" className="mt-2 empty:hidden">
        {create.isError && <Fault text={create.error.message} />}
        {create.data?.rawKey !== undefined && <AgentCommand rawKey={create.data.rawKey} where={location.name} />}
      </div>
    </section>
  )
}

function Agents({ location: { id, name, runningAgents = [], lastSeen } }: { location: PrivateLocation }) {
  return (
    <section aria-labelledby={`agents-${id}`}>
      <h3 id={`agents-${id}`} className="text-sm font-semibold">
        Agents
      </h3>
      {runningAgents.length === 0 && (
        <p className="text-ink-soft">
          {lastSeen === null ? (
            'None has ever called. Start one with a key from above.'
          ) : (
            <>
              None runs now; the last one called <TimeAgo at={lastSeen} />.
            </>
          )}
        </p>
      )}
      <ul aria-label={`Agents of ${name}`} className="empty:hidden">
        {runningAgents.map(({ version, count, isOutdated }) => (
          <li key={version} className="flex flex-wrap items-center gap-2 py-0.5">
            {count === 1 ? '1 agent' : `${count} agents`} of version {version}
            {isOutdated && <Badge tone="degraded">outdated: update it</Badge>}
          </li>
        ))}
      </ul>
    </section>
  )
}

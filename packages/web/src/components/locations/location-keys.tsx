import { useMutation } from '@tanstack/react-query'
import { mostLocationKeys, type PrivateLocation, type PrivateLocationKey } from '@vedette/wire'
import { Trash2 } from 'lucide-react'
import { call } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Fault, Panel } from '../../ui/panel.tsx'
import { toast } from '../../ui/toast.ts'
import { TimeAgo } from '../time/time-text.tsx'
import { AgentCommand } from './agent-command.tsx'
import { useLocationsChanged } from './private-locations-query.ts'

/** The keys of a private location, and how one follows the other. */
export function LocationKeys({ location }: { location: PrivateLocation }) {
  const { id, keys } = location
  const changed = useLocationsChanged()
  const create = useMutation({
    mutationFn: () => call<PrivateLocationKey>('POST', `/v1/private-locations/${id}/keys`, {}),
    onSuccess: changed,
  })
  const revoke = useMutation({
    mutationFn: (keyId: string) => call('DELETE', `/v1/private-locations/${id}/keys/${keyId}`),
    onSuccess: () => {
      toast('The key is deleted: its agents are refused from now on, and their runs go to the others.')
      return changed()
    },
    onError: (error) => toast(error.message, 'fault'),
  })
  const isFull = keys.length >= mostLocationKeys
  const more = (
    <Button isBusy={create.isPending} onClick={() => create.mutate()}>
      Make another key
    </Button>
  )
  return (
    <Panel title="Keys of its agents" aside={!isFull && more}>
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
      <p className="mt-1 text-sm text-ink-soft">
        {isFull
          ? 'Two keys is all there can be: once no agent uses the older one any more, delete it.'
          : 'To change the key without a gap, make another one, start agents with it, stop the old ones, and delete the first.'}
      </p>
      <div role="status" className="mt-2 empty:hidden">
        {create.isError && <Fault text={create.error.message} />}
        {create.data?.rawKey !== undefined && <AgentCommand rawKey={create.data.rawKey} where={location.name} />}
      </div>
    </Panel>
  )
}

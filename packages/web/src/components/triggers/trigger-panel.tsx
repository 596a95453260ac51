import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CheckGroupTrigger, CheckTrigger } from '@vedette/wire'
import { call } from '../../api/client.ts'
import { triggerPath, triggerQuery, type TriggeredKind } from '../../api/triggers.ts'
import { useMay } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { Commands } from '../../ui/copy-text.tsx'
import { Fault, Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { TimeAgo } from '../time/time-text.tsx'

interface Props {
  kind: TriggeredKind
  id: string | number
  /** What it runs, within a sentence. */
  what: string
}

/** The address that runs a check or a group without a key. Who may not run it does not see the address either. */
export function TriggerPanel(props: Props) {
  return useMay('run') ? <TriggerOf {...props} /> : null
}

function TriggerOf({ kind, id, what }: Props) {
  const trigger = useQuery(triggerQuery(kind, id))
  const mayChange = useMay('write')
  const { create, revoke } = useTriggerCalls(kind, id)
  return (
    <Panel title="Trigger">
      {trigger.isError && <Fault text={trigger.error.message} onRetry={() => void trigger.refetch()} />}
      {trigger.isPending && <Skeleton label="Reading the trigger" lines={2} />}
      {trigger.data === null && (
        <>
          <p className="mb-3 text-sm text-ink-soft">
            An address that runs {what} without a key and waits for the outcome, for a pipeline or a hook.
            {!mayChange && ' There is none; making one needs the role write.'}
          </p>
          {mayChange && (
            <Button isBusy={create.isPending} onClick={() => create.mutate()}>
              Make an address
            </Button>
          )}
        </>
      )}
      {trigger.data && (
        <Address trigger={trigger.data} what={what}>
          {mayChange && (
            <Button look="danger" isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
              Revoke
            </Button>
          )}
        </Address>
      )}
      {[create, revoke].map(({ error }, at) => error !== null && <Fault key={at} text={error.message} />)}
    </Panel>
  )
}

function useTriggerCalls(kind: TriggeredKind, id: string | number) {
  const client = useQueryClient()
  const { queryKey } = triggerQuery(kind, id)
  const refresh = () => client.invalidateQueries({ queryKey })
  const create = useMutation({
    mutationFn: () => call<CheckTrigger | CheckGroupTrigger>('POST', triggerPath(kind, id), {}),
    onSettled: refresh,
  })
  const revoke = useMutation({
    mutationFn: () => call('DELETE', triggerPath(kind, id)),
    onSuccess: () => toast('The address is revoked: calls of it are refused from now on.'),
    onSettled: refresh,
  })
  return { create, revoke }
}

interface AddressProps {
  trigger: CheckTrigger | CheckGroupTrigger
  what: string
  children: React.ReactNode
}

function Address({ trigger: { url, created_at: madeAt, called_at: calledAt }, what, children }: AddressProps) {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm text-ink-soft">Whoever knows this address can run {what}, at most ten times a minute.</p>
      <Commands commands={commandsFor(url)} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-ink-soft">
          Made <TimeAgo at={madeAt} />, last called <TimeAgo at={calledAt} />.
        </p>
        {children}
      </div>
    </div>
  )
}

/** Lines for a pipeline. A call waits up to two minutes, and answers 200 also when a check failed. */
const commandsFor = (url: string): { title: string; command: string }[] => [
  { title: 'Run it and see the outcome', command: `curl -fsS -m 130 -X POST ${url}` },
  {
    title: 'Fail unless all is well',
    command: `curl -fsS -m 130 -X POST ${url} | grep '"hasFailures":false'`,
  },
]

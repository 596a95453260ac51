import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AlertChannel, AlertChannelKind, AlertTest } from '@vedette/wire'
import { Pencil, Plus, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { channelHealthQuery, channelsQuery } from '../api/channels.ts'
import { call } from '../api/client.ts'
import { PagePlaceOf } from '../app/page-place.ts'
import { ChannelCondition } from '../components/alerts/channel-condition.tsx'
import { MissingSetting } from '../components/alerts/missing-setting.tsx'
import { channelName } from '../components/alerts/channel-name.ts'
import { ChannelForm } from '../form/channel/channel-form.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { Fault } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast, toastUndo } from '../ui/toast.ts'

/** Who is notified, and of what. */
export function ChannelsPage() {
  const channels = useQuery(channelsQuery)
  const { data: kinds = [] } = useQuery({
    queryKey: ['channel-kinds'],
    queryFn: () => call<AlertChannelKind[]>('GET', '/v1/alert-channel-kinds'),
    staleTime: 60_000,
  })
  const [editing, setEditing] = useState<AlertChannel | string>()
  const kind = kinds.find(({ type }) => type === (typeof editing === 'string' ? editing : editing?.type))
  const none = channels.data?.items.length === 0
  return (
    <>
      <PagePlaceOf title="Channels" />
      <div className="mb-3 flex items-center justify-between gap-3">
        <h1 className="text-xl font-semibold tracking-tight">Channels</h1>
        {channels.isSuccess && !none && <AddMenu kinds={kinds} onAdd={setEditing} />}
      </div>
      {channels.isError && <Fault text={channels.error.message} onRetry={() => void channels.refetch()} />}
      {kind && (
        <ChannelForm
          key={typeof editing === 'object' ? editing.id : editing}
          kind={kind}
          channel={typeof editing === 'object' ? editing : undefined}
          done={() => setEditing(undefined)}
        />
      )}
      {channels.isPending && <Skeleton label="Reading channels" />}
      {none && kind === undefined && <NoChannels kinds={kinds} onAdd={setEditing} />}
      {!none && (
        <ul
          aria-label="Channels"
          className="mt-3 divide-y divide-line rounded-lg border border-line bg-surface shadow-raised"
        >
          {channels.data?.items.map((channel) => (
            <ChannelRow
              key={channel.id}
              channel={channel}
              missing={kinds.find(({ type }) => type === channel.type)?.missing ?? null}
              edit={() => setEditing(channel)}
            />
          ))}
        </ul>
      )}
    </>
  )
}

interface AddProps {
  kinds: readonly AlertChannelKind[]
  onAdd: (type: string) => void
}

function NoChannels({ kinds, onAdd }: AddProps) {
  return (
    <EmptyState
      icon={<Send />}
      title="Nobody is notified yet"
      actions={kinds.map((each, at) => (
        <Button key={each.type} look={at === 0 ? 'primary' : 'plain'} onClick={() => onAdd(each.type)}>
          Add {each.title}
        </Button>
      ))}
    >
      A channel carries alerts to people: by e-mail, or to any program by a webhook. New checks are subscribed to it.
    </EmptyState>
  )
}

function AddMenu({ kinds, onAdd }: AddProps) {
  return (
    <Menu
      trigger={
        <Button look="primary" icon={<Plus aria-hidden="true" className="size-4" />}>
          Add channel
        </Button>
      }
    >
      {kinds.map(({ type, title }) => (
        <MenuItem key={type} onSelect={() => onAdd(type)}>
          Add {title}
        </MenuItem>
      ))}
    </Menu>
  )
}

interface RowProps {
  channel: AlertChannel
  /** What the installation must set before it can send. */
  missing: string | null
  edit: () => void
}

function ChannelRow({ channel, missing, edit }: RowProps) {
  const name = channelName(channel)
  const client = useQueryClient()
  const test = useMutation({
    mutationFn: () => call<AlertTest>('POST', `/v1/alert-channels/${channel.id}/test`, {}),
    onSettled: () => client.invalidateQueries({ queryKey: channelHealthQuery.queryKey }),
  })
  const remove = useRemoveChannel(channel, name)
  const health = useQuery(channelHealthQuery).data?.get(channel.id)
  return (
    <li className="px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="font-medium break-words">{name}</h2>
          <p className="mb-1 text-sm break-words text-ink-soft">{heardText(channel)}</p>
          {health && <ChannelCondition health={health} />}
          {missing !== null && <MissingSetting text={missing} />}
        </div>
        <Button
          isBusy={test.isPending}
          icon={<Send aria-hidden="true" className="size-4" />}
          onClick={() => test.mutate()}
        >
          Send a test
        </Button>
        <Button icon={<Pencil aria-hidden="true" className="size-4" />} onClick={edit} aria-label={`Edit ${name}`}>
          Edit
        </Button>
        <IconButton
          label={`Delete ${name}`}
          icon={<Trash2 aria-hidden="true" className="size-4" />}
          disabled={remove.isPending}
          onClick={() => remove.mutate()}
        />
      </div>
      <p role="status">
        {test.isError && <span className="text-fail">{test.error.message}</span>}
        {test.data && <TestSentence outcome={test.data} />}
      </p>
    </li>
  )
}

function useRemoveChannel({ id }: AlertChannel, name: string) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: ['channels'] })
  const restore = useMutation({
    mutationFn: () => call('POST', `/v1/alert-channels/${id}/restore`, {}),
    onSuccess: refresh,
    onError: (error) => toast(error.message, 'fault'),
  })
  return useMutation({
    mutationFn: () => call('DELETE', `/v1/alert-channels/${id}`),
    onSuccess: () => {
      toastUndo(`Deleted ${name}.`, () => restore.mutate())
      return refresh()
    },
    onError: (error) => toast(error.message, 'fault'),
  })
}

/** Of what, and of how many checks, a channel hears. */
function heardText(channel: AlertChannel): string {
  const kinds = [
    channel.sendFailure && 'failures',
    channel.sendDegraded && 'degradations',
    channel.sendRecovery && 'recoveries',
    channel.sslExpiry && 'expiring certificates',
  ].filter((each) => each !== false)
  const checks = channel.subscriptions.filter((each) => each.activated).length
  const what = kinds.length === 0 ? 'nothing' : new Intl.ListFormat('en').format(kinds)
  return `Hears of ${what} of ${checks} ${checks === 1 ? 'check' : 'checks'}${channel.autoSubscribe ? ', and of every new one' : ''}.`
}

function TestSentence({ outcome }: { outcome: AlertTest }) {
  const detail = [outcome.status, outcome.response].filter((part) => part !== null && part !== '').join(' ')
  return outcome.accepted ? (
    <span className="text-pass">The test was accepted{detail && `: ${detail}`}.</span>
  ) : (
    <span className="text-fail">The test was not accepted{detail && `: ${detail}`}.</span>
  )
}

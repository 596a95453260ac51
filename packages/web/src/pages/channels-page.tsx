import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AlertChannel, AlertChannelKind, AlertTest } from '@vedette/wire'
import { useState } from 'react'
import { call, callPage } from '../api/client.ts'
import { Button } from '../components/basics/button.tsx'
import { ConfirmedButton } from '../components/basics/confirmed-button.tsx'
import { PageTitle } from '../components/basics/page-title.tsx'
import { Panel } from '../components/basics/panel.tsx'
import { ChannelForm } from '../form/channel-form.tsx'
import { channelName } from '../components/alerts/channel-name.ts'

/** The alert channels. */
export function ChannelsPage() {
  const channels = useQuery({
    queryKey: ['channels'],
    queryFn: () => callPage<AlertChannel>('/v1/alert-channels', { limit: 100 }),
  })
  const kinds = useQuery({
    queryKey: ['channel-kinds'],
    queryFn: () => call<AlertChannelKind[]>('GET', '/v1/alert-channel-kinds'),
    staleTime: Infinity,
  })
  const [editing, setEditing] = useState<AlertChannel | string>()
  const kindOf = (type: string) => kinds.data?.find((kind) => kind.type === type)
  const kind = editing === undefined ? undefined : kindOf(typeof editing === 'string' ? editing : editing.type)
  const failure = channels.error ?? kinds.error
  return (
    <>
      <PageTitle text="Alert channels" />
      <h1 className="mb-4 text-2xl font-bold">Alert channels</h1>
      {failure && (
        <p role="alert" className="text-fail">
          {failure.message}
        </p>
      )}
      <div className="mb-4 flex flex-wrap gap-2">
        {kinds.data?.map((each) => (
          <Button
            key={each.type}
            look={channels.data?.items.length === 0 ? 'primary' : 'plain'}
            onClick={() => setEditing(each.type)}
          >
            Add {each.title}
          </Button>
        ))}
      </div>
      {kind && (
        <ChannelForm
          key={typeof editing === 'object' ? editing.id : editing}
          kind={kind}
          channel={typeof editing === 'object' ? editing : undefined}
          done={() => setEditing(undefined)}
        />
      )}
      <div className="mt-4 flex flex-col gap-4">
        {channels.data?.items.length === 0 && !kind && (
          <p className="text-ink-soft">Nobody is notified yet. Add a channel, and new checks are subscribed to it.</p>
        )}
        {channels.data?.items.map((channel) => (
          <ChannelPanel key={channel.id} channel={channel} edit={() => setEditing(channel)} />
        ))}
      </div>
    </>
  )
}

function ChannelPanel({ channel, edit }: { channel: AlertChannel; edit: () => void }) {
  const client = useQueryClient()
  const test = useMutation({ mutationFn: () => call<AlertTest>('POST', `/v1/alert-channels/${channel.id}/test`, {}) })
  const remove = useMutation({
    mutationFn: () => call('DELETE', `/v1/alert-channels/${channel.id}`),
    onSuccess: () => client.invalidateQueries({ queryKey: ['channels'] }),
  })
  const failure = test.error ?? remove.error
  const kinds = [
    channel.sendFailure && 'failures',
    channel.sendDegraded && 'degradations',
    channel.sendRecovery && 'recoveries',
  ].filter((each) => each !== false)
  const subscribed = channel.subscriptions.filter((each) => each.activated).length
  return (
    <Panel title={channelName(channel)}>
      <p className="break-words text-ink-soft">
        Notified of {kinds.length === 0 ? 'nothing' : listed(kinds)} of {subscribed}{' '}
        {subscribed === 1 ? 'check' : 'checks'}
        {channel.autoSubscribe && ', and of every new one'}.
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button onClick={() => test.mutate()} disabled={test.isPending}>
          {test.isPending ? 'Sending…' : 'Send a test'}
        </Button>
        <Button onClick={edit}>Edit</Button>
        <ConfirmedButton
          act={`Delete ${channelName(channel)}`}
          onConfirm={() => remove.mutate()}
          disabled={remove.isPending}
        />
        <p role="status" className="basis-full">
          {failure && <span className="text-fail">{failure.message}</span>}
          {test.data && <TestSentence outcome={test.data} />}
        </p>
      </div>
    </Panel>
  )
}

const listed = (words: readonly string[]) => new Intl.ListFormat('en').format(words)

function TestSentence({ outcome }: { outcome: AlertTest }) {
  const detail = [outcome.status, outcome.response].filter((part) => part !== null && part !== '').join(' ')
  return outcome.accepted ? (
    <span className="text-pass">The test was accepted{detail && `: ${detail}`}.</span>
  ) : (
    <span className="text-fail">The test was not accepted{detail && `: ${detail}`}.</span>
  )
}

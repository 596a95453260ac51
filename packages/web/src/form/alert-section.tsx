import { useQuery } from '@tanstack/react-query'
import { hasCommonField } from '@vedette/checks'
import type { CommonCheck } from '@vedette/wire'
import { channelsQuery } from '../api/channels.ts'
import { Panel } from '../ui/panel.tsx'
import { channelName } from '../components/alerts/channel-name.ts'
import { useCheckType, useField, useForm } from './form-context.ts'
import { Tick } from '../ui/checkbox.tsx'
import { RetryFields } from './retry-fields.tsx'

/** What happens when the check fails: retries, channels, muting. */
export function AlertSection() {
  const subscriptions = useField<CommonCheck['alertChannelSubscriptions']>('alertChannelSubscriptions')
  const muted = useField<boolean>('muted')
  const shouldFail = useField<boolean>('shouldFail')
  const type = useCheckType()
  const channels = useQuery(channelsQuery)
  // The server subscribes a new check to every channel it does not mention.
  const { isNew } = useForm()
  const has = (id: number) => subscriptions.value.find((each) => each.alertChannelId === id)?.activated ?? isNew
  const toggle = (id: number, activated: boolean) => {
    const others = subscriptions.value.filter((each) => each.alertChannelId !== id)
    subscriptions.set([...others, { alertChannelId: id, activated }])
  }
  return (
    <Panel title="When it fails">
      <div className="flex flex-col gap-4">
        {hasCommonField(type, 'retryStrategy') && <RetryFields />}
        <fieldset>
          <legend className="font-medium">Notify these channels</legend>
          {channels.data?.items.length === 0 && (
            <p className="text-ink-soft">There is no alert channel yet; add one under Channels.</p>
          )}
          {channels.data?.items.map((channel) => (
            <Tick
              key={channel.id}
              label={channelName(channel)}
              checked={has(channel.id)}
              onChange={(on) => toggle(channel.id, on)}
            />
          ))}
        </fieldset>
        <Tick
          label="Muted"
          help="It runs and keeps its state, and nobody is notified."
          checked={muted.value}
          onChange={muted.set}
        />
        {hasCommonField(type, 'shouldFail') && (
          <Tick
            label="An error is expected"
            help="An error answer passes and a good one fails. Assertions hold as written."
            checked={shouldFail.value}
            onChange={shouldFail.set}
          />
        )}
      </div>
    </Panel>
  )
}

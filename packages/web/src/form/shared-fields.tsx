import { useQuery } from '@tanstack/react-query'
import type { CommonCheck } from '@vedette/wire'
import { channelsQuery } from '../api/channels.ts'
import { channelName } from '../components/alerts/channel-name.ts'
import { Tick } from '../ui/checkbox.tsx'
import { Field, inputLook } from '../ui/field.tsx'
import { useField, useForm } from './form-context.ts'
import { listedTexts } from './listed-texts.ts'

// Fields that checks and groups of checks have alike.

export function NameField() {
  const { touch } = useForm()
  const { value, set, faulty, complaint } = useField<string>('name')
  return (
    <Field label="Name" faulty={faulty} complaint={complaint}>
      {(control) => (
        <input
          {...control}
          required
          className={inputLook}
          value={value}
          onBlur={() => touch?.('name')}
          onChange={(event) => set(event.target.value)}
        />
      )}
    </Field>
  )
}

export function TagsField({ help }: { help: string }) {
  const { touch } = useForm()
  const { value, set, faulty, complaint } = useField<string[]>('tags')
  return (
    <Field label="Tags" help={help} faulty={faulty} complaint={complaint}>
      {(control) => (
        <input
          {...control}
          className={inputLook}
          onBlur={() => touch?.('tags')}
          defaultValue={value.join(', ')}
          onChange={(event) => set(listedTexts(event.target.value))}
        />
      )}
    </Field>
  )
}

interface ChannelTicksProps {
  legend: string
  help?: string
  /** Whether a channel that the subscriptions do not mention is subscribed. */
  isOnUnmentioned: boolean
}

/** Which alert channels are notified. */
export function ChannelTicks({ legend, help, isOnUnmentioned }: ChannelTicksProps) {
  const { value = [], set } = useField<CommonCheck['alertChannelSubscriptions'] | undefined>(
    'alertChannelSubscriptions',
  )
  const channels = useQuery(channelsQuery)
  const has = (id: number) => value.find((each) => each.alertChannelId === id)?.activated ?? isOnUnmentioned
  const toggle = (alertChannelId: number, activated: boolean) =>
    set([...value.filter((each) => each.alertChannelId !== alertChannelId), { alertChannelId, activated }])
  return (
    <fieldset>
      <legend className="font-medium">{legend}</legend>
      {help !== undefined && <p className="text-sm text-ink-soft">{help}</p>}
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
  )
}

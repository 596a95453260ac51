import { useQuery } from '@tanstack/react-query'
import { hasCommonField } from '@vedette/checks'
import { locations, type AlertChannel, type CommonCheck } from '@vedette/wire'
import { callPage } from '../api/client.ts'
import { Panel } from '../components/basics/panel.tsx'
import { useCheckType, useField, useForm } from './form-context.ts'
import { inputLook, Labelled, Tick } from './labelled.tsx'
import { RetryFields } from './retry-fields.tsx'

/** The common fields of all check types, one section after the other. */
export function NameSection() {
  const name = useField<string>('name')
  const description = useField<string | null>('description')
  const tags = useField<string[]>('tags')
  return (
    <Panel title="What it is">
      <div className="grid gap-4 md:grid-cols-2">
        <Labelled label="Name" faulty={name.faulty} complaint={name.complaint}>
          {(control) => (
            <input
              {...control}
              required
              className={inputLook}
              value={name.value}
              onChange={(event) => name.set(event.target.value)}
            />
          )}
        </Labelled>
        <Labelled label="Tags" help="Separated by commas." faulty={tags.faulty} complaint={tags.complaint}>
          {(control) => (
            <input
              {...control}
              className={inputLook}
              defaultValue={tags.value.join(', ')}
              onChange={(event) =>
                tags.set(
                  event.target.value
                    .split(',')
                    .map((tag) => tag.trim())
                    .filter((tag) => tag !== ''),
                )
              }
            />
          )}
        </Labelled>
        <Labelled label="Description" faulty={description.faulty} complaint={description.complaint}>
          {(control) => (
            <input
              {...control}
              className={inputLook}
              value={description.value ?? ''}
              onChange={(event) => description.set(event.target.value === '' ? null : event.target.value)}
            />
          )}
        </Labelled>
      </div>
    </Panel>
  )
}

/** Shows only fields that the check type has. A passive type has none of them. */
export function ScheduleSection() {
  const type = useCheckType()
  return (
    <Panel title="Schedule">
      <div className="flex flex-col gap-4">
        {hasCommonField(type, 'frequency') && <FrequencyField />}
        {hasCommonField(type, 'locations') && <LocationFields />}
        {hasCommonField(type, 'runParallel') && <ParallelField />}
      </div>
    </Panel>
  )
}

function LocationFields() {
  const chosen = useField<string[] | null>('locations')
  const selected = chosen.value ?? []
  const toggle = (location: string, on: boolean) =>
    chosen.set(locations.filter((each) => (each === location ? on : selected.includes(each))))
  return (
    <fieldset>
      <legend className="font-medium">Locations</legend>
      <p className="text-sm text-ink-soft">
        {selected.length === 0
          ? 'None chosen: the default location of the account is used.'
          : `${selected.length} chosen. Two or more tell a broken target from a broken path.`}
      </p>
      <div className="mt-1 grid grid-cols-2 gap-x-4 md:grid-cols-4 xl:grid-cols-6">
        {locations.map((location) => (
          <Tick
            key={location}
            label={location}
            checked={selected.includes(location)}
            onChange={(on) => toggle(location, on)}
          />
        ))}
      </div>
    </fieldset>
  )
}

function ParallelField() {
  const runParallel = useField<boolean>('runParallel')
  return (
    <Tick
      label="Run in all locations at once"
      help="Otherwise the locations take turns."
      checked={runParallel.value}
      onChange={runParallel.set}
    />
  )
}

const secondsChoices = [10, 20, 30]

function FrequencyField() {
  const { mode } = useCheckType()
  const frequencies = mode.kind === 'scheduled' ? mode.frequencies : []
  const { definition, change } = useForm()
  const frequency = useField<number>('frequency')
  const shown = frequency.value === 0 ? `s${String(definition['frequencyOffset'])}` : `m${frequency.value}`
  const pick = (choice: string) => {
    const amount = Number(choice.slice(1))
    change('frequency', choice.startsWith('s') ? 0 : amount)
    // Over a minute the server assigns an offset of its own, so that checks spread.
    change('frequencyOffset', choice.startsWith('s') ? amount : undefined)
  }
  return (
    <Labelled label="How often" faulty={frequency.faulty} complaint={frequency.complaint}>
      {(control) => (
        <select
          {...control}
          className={`${inputLook} md:w-72`}
          value={shown}
          onChange={(event) => pick(event.target.value)}
        >
          {frequencies.includes(0) &&
            secondsChoices.map((seconds) => (
              <option key={seconds} value={`s${seconds}`}>
                Every {seconds} seconds
              </option>
            ))}
          {frequencies
            .filter((minutes) => minutes > 0)
            .map((minutes) => (
              <option key={minutes} value={`m${minutes}`}>
                {frequencyWords(minutes)}
              </option>
            ))}
        </select>
      )}
    </Labelled>
  )
}

function frequencyWords(minutes: number): string {
  if (minutes === 1) return 'Every minute'
  if (minutes < 60) return `Every ${minutes} minutes`
  return minutes === 60 ? 'Every hour' : `Every ${minutes / 60} hours`
}

export function AlertSection() {
  const subscriptions = useField<CommonCheck['alertChannelSubscriptions']>('alertChannelSubscriptions')
  const muted = useField<boolean>('muted')
  const shouldFail = useField<boolean>('shouldFail')
  const type = useCheckType()
  const channels = useQuery({
    queryKey: ['channels'],
    queryFn: () => callPage<AlertChannel>('/v1/alert-channels', { limit: 100 }),
  })
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
          <legend className="font-medium">Tell these channels</legend>
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
          help="It runs and keeps its state, and nobody is told."
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

export function channelName(channel: Pick<AlertChannel, 'id' | 'type' | 'config'>): string {
  const { name, address, url } = channel.config
  const target = [name, address, url].find((value) => typeof value === 'string' && value !== '')
  return `${channel.type.toLowerCase()}: ${typeof target === 'string' ? target : `channel ${channel.id}`}`
}

import { hasCommonField } from '@vedette/checks'
import { Panel } from '../ui/panel.tsx'
import { useCheckType, useField, useForm } from './form-context.ts'
import { Tick } from '../ui/checkbox.tsx'
import { LocationPicker } from './location-picker.tsx'
import { PrivateLocationPicker } from './private-location-picker.tsx'
import { Complaint, Field } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'

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
  const own = useField<string[] | null>('privateLocations')
  const selected = chosen.value ?? []
  const count = selected.length + (own.value ?? []).length
  return (
    <fieldset>
      <legend className="text-sm font-medium">Locations</legend>
      <p className="mb-1 text-sm text-ink-soft">
        {count === 0
          ? 'None chosen: the default location of the account is used.'
          : `${count} chosen. Two or more tell a broken target from a broken path.`}
      </p>
      <div className="flex flex-col gap-3">
        <PrivateLocationPicker chosen={own.value ?? []} onChange={own.set} />
        {own.complaint !== undefined && <Complaint text={own.complaint} />}
        <LocationPicker chosen={selected} onChange={chosen.set} />
      </div>
      {chosen.complaint !== undefined && <Complaint text={chosen.complaint} />}
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
    <Field label="How often" faulty={frequency.faulty} complaint={frequency.complaint}>
      {(control) => (
        <Select {...control} className="md:w-72" value={shown} onChange={(event) => pick(event.target.value)}>
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
        </Select>
      )}
    </Field>
  )
}

function frequencyWords(minutes: number): string {
  if (minutes === 1) return 'Every minute'
  if (minutes < 60) return `Every ${minutes} minutes`
  return minutes === 60 ? 'Every hour' : `Every ${minutes / 60} hours`
}

import { hasCommonField } from '@vedette/checks'
import { Panel } from '../ui/panel.tsx'
import { useCheckType, useField, useForm } from './form-context.ts'
import { Tick } from '../ui/checkbox.tsx'
import { ParentsField } from './parents-field.tsx'
import { RetryFields } from './retry-fields.tsx'
import { ChannelTicks } from './shared-fields.tsx'

/** What happens when the check fails: retries, channels, muting. */
export function AlertSection() {
  const muted = useField<boolean>('muted')
  const shouldFail = useField<boolean>('shouldFail')
  const type = useCheckType()
  // The server subscribes a new check to every channel it does not mention.
  const { isNew } = useForm()
  return (
    <Panel title="When it fails">
      <div className="flex flex-col gap-4">
        {hasCommonField(type, 'retryStrategy') && <RetryFields />}
        <ChannelTicks legend="Notify these channels" isOnUnmentioned={isNew} />
        <ParentsField />
        <Tick
          label="Muted"
          help="It runs and keeps its state, and nobody is notified."
          checked={muted.value}
          onChange={muted.set}
        />
        {hasCommonField(type, 'shouldFail') && (
          <Tick
            label="A failure is expected"
            help={`${type.expectedFailure ?? 'What usually fails passes, and what usually passes fails.'} Assertions hold as written.`}
            checked={shouldFail.value}
            onChange={shouldFail.set}
          />
        )}
      </div>
    </Panel>
  )
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { withValueAt, type FormField } from '@vedette/checks'
import { alertChannelDefaults, type AlertChannel, type AlertChannelKind } from '@vedette/wire'
import { useState, type FormEvent } from 'react'
import { call } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { FieldControl, SectionFields } from '../field-control.tsx'
import { ChannelPreview } from './channel-preview.tsx'
import { MissingSetting } from '../../components/alerts/missing-setting.tsx'
import { ExistingChecks, nothingExisting, subscribeExisting } from './existing-checks.tsx'
import { FormProvider } from '../form-context.ts'
import { refusedFields } from '../refused.ts'
import { useFocusOnFault } from '../focus-on-fault.ts'
import { Tick } from '../../ui/checkbox.tsx'

const flags = [
  { name: 'sendFailure', label: 'Notify of failures' },
  { name: 'sendRecovery', label: 'Notify of recoveries' },
  { name: 'sendDegraded', label: 'Notify of degraded checks' },
  { name: 'sslExpiry', label: 'Notify of expiring certificates' },
] as const

const daysBeforeExpiry: FormField = {
  path: 'sslExpiryThreshold',
  label: 'Days before a certificate expires (1 to 30)',
  kind: 'number',
  visibleWhen: { path: 'sslExpiry', oneOf: [true] },
}

type Draft = Record<string, unknown> & Record<(typeof flags)[number]['name'] | 'autoSubscribe', boolean>

interface Props {
  kind: AlertChannelKind
  channel: AlertChannel | undefined
  done: () => void
}

/** Creates or replaces a channel. Its fields come from the channel kind. */
export function ChannelForm({ kind, channel, done }: Props) {
  const client = useQueryClient()
  const [draft, setDraft] = useState<Draft>(() => startOf(kind, channel))
  const [existing, setExisting] = useState(nothingExisting)
  const save = useMutation({
    mutationFn: () =>
      call<AlertChannel>(channel ? 'PUT' : 'POST', `/v1/alert-channels${channel ? `/${channel.id}` : ''}`, draft),
    onSuccess: async ({ id }) => {
      if (existing.which !== 'none') await subscribeExisting(id, existing)
      await client.invalidateQueries({ queryKey: ['channels'] })
      done()
    },
  })
  const form = useFocusOnFault(save.error)
  const title = channel ? `Change ${kind.title}` : `New ${kind.title}`
  const change = (path: string, value: unknown) => setDraft((current) => withValueAt(current, path, value))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <FormProvider
      value={{
        definition: draft,
        change,
        isNew: channel === undefined,
        faults: refusedFields(save.error),
      }}
    >
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <form ref={form} onSubmit={submit} noValidate className="min-w-0" aria-label={title}>
          <Panel title={title}>
            <div className="flex flex-col gap-4">
              {kind.missing !== null && <MissingSetting text={kind.missing} />}
              <SectionFields
                fields={kind.form
                  .flatMap((section) => section.fields)
                  .map((field) => ({ ...field, path: `config.${field.path}` }))}
              />
              <div className="grid gap-x-4 sm:grid-cols-2">
                {flags.map(({ name, label }) => (
                  <Tick key={name} label={label} checked={draft[name]} onChange={(on) => change(name, on)} />
                ))}
              </div>
              <FieldControl field={daysBeforeExpiry} />
              <Tick
                label="Subscribe new checks"
                checked={draft.autoSubscribe}
                onChange={(on) => change('autoSubscribe', on)}
              />
              {channel === undefined && <ExistingChecks chosen={existing} onChange={setExisting} />}
              {save.isError && (
                <p role="alert" className="text-fail">
                  {save.error.message}
                </p>
              )}
              <div className="flex gap-2">
                <Button type="submit" look="primary" isBusy={save.isPending}>
                  Save channel
                </Button>
                <Button onClick={done}>Cancel</Button>
              </div>
            </div>
          </Panel>
        </form>
        <ChannelPreview kind={kind} config={draft['config']} />
      </div>
    </FormProvider>
  )
}

function startOf(kind: AlertChannelKind, channel: AlertChannel | undefined): Draft {
  if (!channel) return { ...alertChannelDefaults, autoSubscribe: true, type: kind.type, config: kind.defaults }
  const { type, config, sendFailure, sendRecovery, sendDegraded, sslExpiry, sslExpiryThreshold, autoSubscribe } =
    channel
  return {
    type,
    config: { ...kind.defaults, ...config },
    sendFailure,
    sendRecovery,
    sendDegraded,
    sslExpiry,
    sslExpiryThreshold,
    autoSubscribe,
  }
}

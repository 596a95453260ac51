import { checkTypeOf, setupSection } from '@vedette/checks'
import { completeRetryStrategy, defaultAlertSettings, type AlertSettings, type RetryStrategy } from '@vedette/wire'
import { Tick } from '../../ui/checkbox.tsx'
import { Complaint, Field, inputLook } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { AssertionList } from '../assertion-list.tsx'
import { BasicAuth } from '../basic-auth.tsx'
import { SectionPanel } from '../field-control.tsx'
import { FormProvider, useField, useForm } from '../form-context.ts'
import { KeyValues } from '../key-values.tsx'
import { LocationPicker } from '../location-picker.tsx'
import { OwnVariables } from '../own-variables.tsx'
import { StrategyFields } from '../retry-fields.tsx'
import { ChannelTicks, NameField, TagsField } from '../shared-fields.tsx'

/** The fields of a group. */
export function GroupSections() {
  return (
    <>
      <BasicsSection />
      <WhereSection />
      <AlertsSection />
      <RequestSection />
      <SectionPanel section={{ ...setupSection, title: 'Setup and teardown of its API checks' }} />
      <Panel title="Variables">
        <p className="mb-3 text-sm text-ink-soft">
          They win over those of the account, and those of a check win over them.
        </p>
        <OwnVariables path="environmentVariables" label="Variables" />
      </Panel>
    </>
  )
}

function BasicsSection() {
  const concurrency = useField<number>('concurrency')
  const activated = useField<boolean>('activated')
  const muted = useField<boolean>('muted')
  return (
    <Panel title="What it is">
      <div className="grid gap-4 md:grid-cols-2">
        <NameField />
        <TagsField help="Its checks have them too. Separated by commas." />
        <Field
          label="Checks at once"
          help="When the group is triggered."
          faulty={concurrency.faulty}
          complaint={concurrency.complaint}
        >
          {(control) => (
            <input
              {...control}
              inputMode="numeric"
              className={inputLook}
              value={concurrency.value}
              onChange={(event) => concurrency.set(Number(event.target.value))}
            />
          )}
        </Field>
      </div>
      <div className="mt-3">
        <Tick label="Its checks run" checked={activated.value} onChange={activated.set} />
        <Tick
          label="Muted"
          help="Its checks run and keep their state, and nobody is notified."
          checked={muted.value}
          onChange={muted.set}
        />
      </div>
    </Panel>
  )
}

function WhereSection() {
  const locations = useField<string[]>('locations')
  const parallel = useField<boolean | null>('runParallel')
  return (
    <Panel title="Where its checks run">
      <div className="flex flex-col gap-4">
        <fieldset>
          <legend className="text-sm font-medium">Locations</legend>
          <p className="mb-1 text-sm text-ink-soft">
            {locations.value.length === 0
              ? 'None chosen: each check runs at its own.'
              : 'All its checks run there, whatever they say themselves.'}
          </p>
          <LocationPicker chosen={locations.value} onChange={locations.set} />
          {locations.complaint !== undefined && <Complaint text={locations.complaint} />}
        </fieldset>
        <Field label="In several locations" faulty={parallel.faulty} complaint={parallel.complaint}>
          {(control) => (
            <Select
              {...control}
              className="md:w-72"
              value={String(parallel.value)}
              onChange={(event) => parallel.set(event.target.value === 'null' ? null : event.target.value === 'true')}
            >
              <option value="null">As each check says</option>
              <option value="true">All at once</option>
              <option value="false">In turn</option>
            </Select>
          )}
        </Field>
        <GroupRetries />
      </div>
    </Panel>
  )
}

function GroupRetries() {
  const strategy = useField<RetryStrategy | 'FALLBACK'>('retryStrategy')
  const shown = strategy.value === 'FALLBACK' ? 'FALLBACK' : strategy.value.type
  const pick = (choice: string) =>
    strategy.set(
      choice === 'FALLBACK'
        ? choice
        : completeRetryStrategy({ type: choice as RetryStrategy['type'], baseBackoffSeconds: 10 }),
    )
  return (
    <div className="grid gap-4 md:grid-cols-[minmax(0,2fr)_1fr_1fr]">
      <Field label="Retry a failed run" faulty={strategy.faulty} complaint={strategy.complaint}>
        {(control) => (
          <Select {...control} value={shown} onChange={(event) => pick(event.target.value)}>
            <option value="FALLBACK">As each check says</option>
            <option value="SINGLE_RETRY">Once, after a pause</option>
            <option value="FIXED">Several times, same pause</option>
            <option value="LINEAR">Several times, pause grows evenly</option>
            <option value="EXPONENTIAL">Several times, pause multiplies</option>
          </Select>
        )}
      </Field>
      {strategy.value !== 'FALLBACK' && (
        <StrategyFields strategy={strategy.value} set={strategy.set} faulty={strategy.faulty} />
      )}
    </div>
  )
}

type Whose = 'checks' | 'account' | 'group'

function AlertsSection() {
  const useGlobal = useField<boolean | null>('useGlobalAlertSettings')
  const settings = useField<AlertSettings | null>('alertSettings')
  const whose: Whose = useGlobal.value === true ? 'account' : settings.value === null ? 'checks' : 'group'
  const pick = (choice: Whose) => {
    useGlobal.set(choice === 'account' ? true : choice === 'group' ? false : null)
    settings.set(choice === 'group' ? (settings.value ?? defaultAlertSettings) : null)
  }
  return (
    <Panel title="When they fail">
      <div className="flex flex-col gap-4">
        <Field label="Alert settings" faulty={settings.faulty} complaint={settings.complaint}>
          {(control) => (
            <Select
              {...control}
              className="md:w-72"
              value={whose}
              onChange={(event) => pick(event.target.value as Whose)}
            >
              <option value="checks">Those of each check</option>
              <option value="account">Those of the account</option>
              <option value="group">Those of this group</option>
            </Select>
          )}
        </Field>
        {whose === 'group' && settings.value && <Escalation settings={settings.value} set={settings.set} />}
        <ChannelTicks
          legend="Notify these channels too"
          help={
            whose === 'checks'
              ? 'They hear of its checks once the alert settings are those of the account or of this group.'
              : 'Besides those of each check.'
          }
          isOnUnmentioned={false}
        />
      </div>
    </Panel>
  )
}

function Escalation({ settings, set }: { settings: AlertSettings; set: (next: AlertSettings) => void }) {
  return (
    <Field label="Failed runs in a row before the first alert">
      {(control) => (
        <Select
          {...control}
          className="md:w-72"
          value={String(settings.runBasedEscalation.failedRunThreshold)}
          onChange={(event) =>
            set({
              ...settings,
              escalationType: 'RUN_BASED',
              runBasedEscalation: { failedRunThreshold: Number(event.target.value) },
            })
          }
        >
          {[1, 2, 3, 4, 5].map((runs) => (
            <option key={runs}>{runs}</option>
          ))}
        </Select>
      )}
    </Field>
  )
}

const api = checkTypeOf('API')

/** What is added to the requests of API checks. */
function RequestSection() {
  const form = useForm()
  const url = useField<string>('apiCheckDefaults.url')
  return (
    <Panel title="Requests of its API checks">
      <div className="flex flex-col gap-4">
        <Field
          label="Base URL"
          help="Checks write {{GROUP_BASE_URL}} for it."
          faulty={url.faulty}
          complaint={url.complaint}
        >
          {(control) => (
            <input
              {...control}
              className={inputLook}
              placeholder="https://shop.example.com"
              value={url.value}
              onChange={(event) => url.set(event.target.value)}
            />
          )}
        </Field>
        <KeyValues path="apiCheckDefaults.headers" label="Headers" item="header" />
        <KeyValues path="apiCheckDefaults.queryParameters" label="Query parameters" item="parameter" />
        <BasicAuth path="apiCheckDefaults.basicAuth" label="Sign in with user name and password" />
        {api && (
          <FormProvider value={{ ...form, type: api }}>
            <AssertionList path="apiCheckDefaults.assertions" />
          </FormProvider>
        )}
      </div>
    </Panel>
  )
}

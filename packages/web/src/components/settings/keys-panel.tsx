import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { roles, type ApiKey, type CreatedApiKey } from '@vedette/wire'
import { KeyRound } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { call } from '../../api/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Tick } from '../../ui/checkbox.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Field, inputLook } from '../../ui/field.tsx'
import { Fault, Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'
import { Moment, serverNow, TimeAgo, useNow } from '../time/time-text.tsx'

/** Keys of the management API. A new one is shown once. */
export function KeysPanel() {
  const keys = useQuery({ queryKey: ['api-keys'], queryFn: () => call<ApiKey[]>('GET', '/v1/api-keys?limit=100') })
  const client = useQueryClient()
  const revoke = useMutation({
    mutationFn: (id: string) => call('DELETE', `/v1/api-keys/${id}`),
    onSuccess: () => {
      toast('The key is revoked: it is refused from now on.')
      return client.invalidateQueries({ queryKey: ['api-keys'] })
    },
    onError: (error) => toast(error.message, 'fault'),
  })
  return (
    <Panel title="API keys">
      <NewKey />
      {keys.isError && <Fault text={keys.error.message} />}
      {keys.data?.length === 0 && (
        <EmptyState icon={<KeyRound />} title="There are no keys">
          A program that reads or changes checks sends a key. Give each program its own, with the weakest role that
          does.
        </EmptyState>
      )}
      <ul className="mt-4 divide-y divide-line">
        {keys.data?.map((key) => (
          <li
            key={key.id}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-2 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]"
          >
            <span className="font-semibold break-words">{key.name}</span>
            <span className="row-start-2 min-w-0 text-sm text-ink-soft md:row-start-1 md:col-start-2">
              <code className="font-mono">{key.maskedKey}</code> {key.role}
              {key.userEmail !== null && `, of ${key.userEmail}`}, made <TimeAgo at={key.created_at} />, last used{' '}
              <TimeAgo at={key.lastUsedAt} />
              <Ending at={key.expiresAt} />
            </span>
            <Button
              className="row-span-2 md:row-span-1"
              look="danger"
              aria-label={`Revoke ${key.name}`}
              onClick={() => revoke.mutate(key.id)}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Until when a key is good, unless it is for ever. */
function Ending({ at }: { at: string | null }) {
  const now = useNow(60_000)
  if (at === null) return null
  return Date.parse(at) <= now ? (
    <>
      {' '}
      <Badge tone="degraded">expired</Badge>
    </>
  ) : (
    <>
      , good until <Moment at={at} />
    </>
  )
}

/** Days for which a new key is good; empty for ever. */
const lifetimes = [
  { days: '', label: 'For ever' },
  { days: '7', label: '7 days' },
  { days: '30', label: '30 days' },
  { days: '90', label: '90 days' },
  { days: '365', label: 'A year' },
] as const

const endAfter = (days: string) =>
  days === '' ? {} : { expiresAt: new Date(serverNow() + Number(days) * 24 * 3600_000).toISOString() }

function NewKey() {
  const [name, setName] = useState('')
  const [role, setRole] = useState<string>('write')
  const [days, setDays] = useState<string>('')
  const [personal, setPersonal] = useState(false)
  const client = useQueryClient()
  const create = useMutation({
    mutationFn: () => call<CreatedApiKey>('POST', '/v1/api-keys', { name, role, personal, ...endAfter(days) }),
    onSuccess: () => {
      setName('')
      return client.invalidateQueries({ queryKey: ['api-keys'] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <Field label="Name of the new key">
        {(control) => (
          <input
            {...control}
            required
            className={inputLook}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label="Role">
        {(control) => (
          <Select {...control} value={role} onChange={(event) => setRole(event.target.value)}>
            {roles.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Good for">
        {(control) => (
          <Select {...control} value={days} onChange={(event) => setDays(event.target.value)}>
            {lifetimes.map((one) => (
              <option key={one.days} value={one.days}>
                {one.label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Button type="submit" isBusy={create.isPending}>
        Make key
      </Button>
      <div className="basis-full">
        <Tick
          label="Mine, not the account’s"
          help="It may do no more than you, and ends when you leave the account."
          checked={personal}
          onChange={setPersonal}
        />
      </div>
      <div role="status" className="basis-full">
        {create.isError && <Fault text={create.error.message} />}
        {create.data?.rawKey && (
          <div className="rounded-md bg-accent-wash p-3">
            <p className="mb-1">Copy it now, it is not shown again:</p>
            <CopyText label="Copy the key" text={create.data.rawKey} />
          </div>
        )}
      </div>
    </form>
  )
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { roles, type ApiKey, type CreatedApiKey } from '@vedette/wire'
import { useState, type FormEvent } from 'react'
import { call } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { Field, inputLook } from '../../ui/field.tsx'
import { Fault, Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'
import { TimeAgo } from '../time/time-text.tsx'

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
      <ul className="mt-4 divide-y divide-line">
        {keys.data?.map((key) => (
          <li
            key={key.id}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-2 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]"
          >
            <span className="font-semibold break-words">{key.name}</span>
            <span className="row-start-2 min-w-0 text-sm text-ink-soft md:row-start-1 md:col-start-2">
              <code className="font-mono">{key.maskedKey}</code> {key.role}, made <TimeAgo at={key.created_at} />
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

function NewKey() {
  const [name, setName] = useState('')
  const [role, setRole] = useState<string>('write')
  const client = useQueryClient()
  const create = useMutation({
    mutationFn: () => call<CreatedApiKey>('POST', '/v1/api-keys', { name, role }),
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
      <Button type="submit" isBusy={create.isPending}>
        Make key
      </Button>
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

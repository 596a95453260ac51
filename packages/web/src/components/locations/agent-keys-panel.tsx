import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { locations, type AgentKeyAnswer } from '@vedette/wire'
import { useState, type FormEvent } from 'react'
import { ApiFailure, call } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Fault, Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'
import { TimeAgo } from '../time/time-text.tsx'
import { AgentCommand } from './agent-command.tsx'

/** Keys with which agents of a region sign in, with the command that starts one. Only an operator sees it. */
export function AgentKeysPanel() {
  const client = useQueryClient()
  const keys = useQuery({
    queryKey: ['agent-keys'],
    queryFn: () => call<AgentKeyAnswer[]>('GET', '/v1/agent-keys'),
    retry: false,
  })
  const revoke = useMutation({
    mutationFn: (id: string) => call('DELETE', `/v1/agent-keys/${id}`),
    onSuccess: () => {
      toast('The key is revoked: its agents are refused from now on.')
      return client.invalidateQueries({ queryKey: ['agent-keys'] })
    },
    onError: (error) => toast(error.message, 'fault'),
  })
  // Whoever does not operate the installation is refused; there is nothing to show then.
  if (keys.error instanceof ApiFailure && keys.error.status === 403) return null
  const own = (keys.data ?? []).filter(({ kind }) => kind !== 'builtin')
  return (
    <Panel title="Agent keys">
      <p className="mb-3 text-ink-soft">
        A region is served by the built-in agent of this server until it has a key of its own. From then on only agents
        with such a key run its checks.
      </p>
      <NewAgentKey />
      {keys.isError && <Fault text={keys.error.message} />}
      <ul aria-label="Agent keys" className="mt-3 divide-y divide-line empty:hidden">
        {own.map((key) => (
          <li key={key.id} className="flex flex-wrap items-center gap-x-3 py-1.5">
            <span className="font-medium">{key.location}</span>
            <code className="font-mono text-sm">{key.maskedKey}</code>
            <span className="flex-1 text-sm text-ink-soft">
              made <TimeAgo at={key.created_at} />
            </span>
            <Button
              look="danger"
              aria-label={`Revoke the key of ${key.location}`}
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

function NewAgentKey() {
  const [location, setLocation] = useState<string>(locations[0])
  const client = useQueryClient()
  const create = useMutation({
    mutationFn: () => call<AgentKeyAnswer & { rawKey: string }>('POST', '/v1/agent-keys', { location }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['agent-keys'] }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <form onSubmit={submit}>
      <div className="flex flex-wrap items-end gap-2">
        <Field label="Region">
          {(control) => (
            <Select {...control} value={location} onChange={(event) => setLocation(event.target.value)}>
              {locations.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </Select>
          )}
        </Field>
        <Button type="submit" isBusy={create.isPending}>
          Make key
        </Button>
      </div>
      {create.isError && <Fault text={create.error.message} />}
      {create.data && (
        <div className="mt-3">
          <AgentCommand rawKey={create.data.rawKey} where={create.data.location} />
        </div>
      )}
    </form>
  )
}

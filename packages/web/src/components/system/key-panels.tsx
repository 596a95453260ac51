import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { roles, type ApiKey, type CreatedApiKey } from '@vedette/wire'
import { useState, type FormEvent } from 'react'
import { call } from '../../api/client.ts'
import { inputLook, Labelled } from '../../form/labelled.tsx'
import { agentTrouble } from './agent-trouble.ts'
import { Button } from '../basics/button.tsx'
import { ConfirmedButton } from '../basics/confirmed-button.tsx'
import { Panel } from '../basics/panel.tsx'
import { agentsQuery } from './system-health.tsx'
import { StateIcon } from '../checks/state-mark.tsx'
import { TimeAgo } from '../basics/time-text.tsx'

/** The agents and their condition. */
export function AgentsPanel() {
  const agents = useQuery(agentsQuery)
  const trouble = agents.data && agentTrouble(agents.data)
  return (
    <Panel title="Agents">
      {agents.isError && (
        <p role="alert" className="text-fail">
          {agents.error.message}
        </p>
      )}
      {trouble && <p className="font-semibold text-fail">{trouble}</p>}
      <ul className="divide-y divide-line">
        {agents.data?.map((agent) => (
          <li key={agent.agentId} className="flex gap-2 py-2">
            <StateIcon state={agent.state === 'online' ? 'passing' : 'failing'} />
            <span>
              <span className="font-semibold">
                {agent.kind === 'builtin' ? 'Built-in agent' : `Agent for ${agent.locations.join(', ')}`}
              </span>{' '}
              {agent.state}
              <span className="block text-ink-soft">
                Version {agent.version}, last heard <TimeAgo at={agent.lastSeenAt} />, {agent.running} running,{' '}
                {agent.spooled} results waiting, event loop {Math.round(agent.eventLoopLagMs)} ms behind
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Keys of the management API. A new one is shown once. */
export function KeysPanel() {
  const keys = useQuery({ queryKey: ['api-keys'], queryFn: () => call<ApiKey[]>('GET', '/v1/api-keys?limit=100') })
  const client = useQueryClient()
  const revoke = useMutation({
    mutationFn: (id: string) => call('DELETE', `/v1/api-keys/${id}`),
    onSuccess: () => client.invalidateQueries({ queryKey: ['api-keys'] }),
  })
  const failure = keys.error ?? revoke.error
  return (
    <Panel title="API keys">
      <NewKey />
      {failure && (
        <p role="alert" className="text-fail">
          {failure.message}
        </p>
      )}
      <ul className="mt-4 divide-y divide-line">
        {keys.data?.map((key) => (
          <li key={key.id} className="flex flex-wrap items-center gap-3 py-2">
            <span className="font-semibold">{key.name}</span>
            <code className="font-mono text-sm">{key.maskedKey}</code>
            <span className="flex-1 text-ink-soft">
              {key.role}, made <TimeAgo at={key.created_at} />
            </span>
            <ConfirmedButton act={`Revoke ${key.name}`} onConfirm={() => revoke.mutate(key.id)} />
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
    onSuccess: () => client.invalidateQueries({ queryKey: ['api-keys'] }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <Labelled label="Name of the new key">
        {(control) => (
          <input
            {...control}
            required
            className={inputLook}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Labelled>
      <Labelled label="It may">
        {(control) => (
          <select {...control} className={inputLook} value={role} onChange={(event) => setRole(event.target.value)}>
            {roles.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        )}
      </Labelled>
      <Button type="submit" disabled={create.isPending}>
        Make key
      </Button>
      <p role="status" className="basis-full">
        {create.isError && <span className="text-fail">{create.error.message}</span>}
        {create.data?.rawKey && (
          <>
            Copy it now, it is not shown again:{' '}
            <code className="font-mono font-semibold break-all">{create.data.rawKey}</code>
          </>
        )}
      </p>
    </form>
  )
}

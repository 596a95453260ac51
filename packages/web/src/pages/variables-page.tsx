import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import type { Variable } from '@vedette/wire'
import { call, callPage } from '../api/client.ts'
import { Button } from '../components/basics/button.tsx'
import { ConfirmedButton } from '../components/basics/confirmed-button.tsx'
import { PageTitle } from '../components/basics/page-title.tsx'
import { Panel } from '../components/basics/panel.tsx'
import { inputLook, Labelled, Tick } from '../form/labelled.tsx'

/** Values that checks and channels use by name. */
export function VariablesPage() {
  const variables = useQuery({
    queryKey: ['variables'],
    queryFn: () => callPage<Variable>('/v1/variables', { limit: 100 }),
  })
  return (
    <>
      <PageTitle text="Variables" />
      <h1 className="mb-2 text-2xl font-bold">Variables</h1>
      <p className="mb-4 text-ink-soft">
        Write <code className="font-mono">{'{{NAME}}'}</code> in a URL, header, body or channel. All values are stored
        encrypted.
      </p>
      <NewVariable />
      <div className="mt-4">
        <Panel title="All variables">
          {variables.isError && (
            <p role="alert" className="text-fail">
              {variables.error.message}
            </p>
          )}
          {variables.data?.items.length === 0 && <p className="text-ink-soft">There are none yet.</p>}
          <ul className="divide-y divide-line">
            {variables.data?.items.map((variable) => (
              <VariableRow key={variable.key} variable={variable} />
            ))}
          </ul>
        </Panel>
      </div>
    </>
  )
}

const nothing = { key: '', value: '', locked: false, secret: false }

function NewVariable() {
  const [draft, setDraft] = useState(nothing)
  const client = useQueryClient()
  const create = useMutation({
    mutationFn: () => call('POST', '/v1/variables', draft),
    onSuccess: async () => {
      setDraft(nothing)
      await client.invalidateQueries({ queryKey: ['variables'] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Panel title="New variable">
        <div className="grid gap-4 md:grid-cols-2">
          <Labelled label="Name">
            {(control) => (
              <input
                {...control}
                required
                className={`${inputLook} font-mono`}
                value={draft.key}
                onChange={(event) => setDraft({ ...draft, key: event.target.value })}
              />
            )}
          </Labelled>
          <Labelled label="Value">
            {(control) => (
              <input
                {...control}
                type={draft.secret || draft.locked ? 'password' : 'text'}
                autoComplete="off"
                className={inputLook}
                value={draft.value}
                onChange={(event) => setDraft({ ...draft, value: event.target.value })}
              />
            )}
          </Labelled>
        </div>
        <Tick
          label="Hide the value on pages"
          checked={draft.locked}
          onChange={(locked) => setDraft({ ...draft, locked })}
        />
        <Tick
          label="Secret"
          help="Never shown again, and removed from results. This cannot be undone."
          checked={draft.secret}
          onChange={(secret) => setDraft({ ...draft, secret })}
        />
        {create.isError && (
          <p role="alert" className="my-2 text-fail">
            {create.error.message}
          </p>
        )}
        <Button type="submit" look="primary" disabled={create.isPending} className="mt-2">
          Add variable
        </Button>
      </Panel>
    </form>
  )
}

function VariableRow({ variable }: { variable: Variable }) {
  const client = useQueryClient()
  const [shown, setShown] = useState(false)
  const remove = useMutation({
    mutationFn: () => call('DELETE', `/v1/variables/${encodeURIComponent(variable.key)}`),
    onSuccess: () => client.invalidateQueries({ queryKey: ['variables'] }),
  })
  const hidden = variable.secret || (variable.locked && !shown)
  return (
    <li className="flex flex-wrap items-center gap-3 py-2">
      <code className="font-mono font-semibold break-all">{variable.key}</code>
      <span className="min-w-0 flex-1 break-all text-ink-soft">
        {variable.secret ? 'secret' : hidden ? '••••••' : variable.value}
      </span>
      {variable.locked && !variable.secret && (
        <Button onClick={() => setShown(!shown)} aria-label={`${shown ? 'Hide' : 'Show'} ${variable.key}`}>
          {shown ? 'Hide' : 'Show'}
        </Button>
      )}
      <ConfirmedButton act={`Delete ${variable.key}`} onConfirm={() => remove.mutate()} disabled={remove.isPending} />
      {remove.isError && (
        <p role="alert" className="basis-full text-fail">
          {remove.error.message}
        </p>
      )}
    </li>
  )
}

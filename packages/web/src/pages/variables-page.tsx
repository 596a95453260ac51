import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Variable } from '@vedette/wire'
import { Braces, Eye, EyeOff, Pencil, Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { call } from '../api/client.ts'
import { usePaged } from '../api/use-paged.ts'
import { PagePlaceOf } from '../app/page-place.ts'
import { MoreRows } from '../components/lists/more-rows.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Tick } from '../ui/checkbox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Field, inputLook } from '../ui/field.tsx'
import { useDebounced } from '../ui/hooks/use-debounced.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Fault, Panel } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast, toastUndo } from '../ui/toast.ts'

/** Values that checks and channels use by name. */
export function VariablesPage() {
  const [editing, setEditing] = useState<Variable>()
  return (
    <>
      <PagePlaceOf title="Variables" />
      <h1 className="text-xl font-semibold tracking-tight">Variables</h1>
      <p className="mb-3 text-ink-soft">
        Write <code className="font-mono">{'{{NAME}}'}</code> in a URL, header, body or channel. All values are stored
        encrypted.
      </p>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <VariableList edit={setEditing} />
        <Panel title="New variable">
          <VariableForm />
        </Panel>
      </div>
      {editing && (
        <Dialog isOpen onClose={() => setEditing(undefined)} title={`Edit ${editing.key}`}>
          <VariableForm variable={editing} onDone={() => setEditing(undefined)} />
        </Dialog>
      )}
    </>
  )
}

/** Fewer are seen at once. */
const searchedFrom = 20

function VariableList({ edit }: { edit: (variable: Variable) => void }) {
  const [search, setSearch] = useState('')
  const sought = useDebounced(search.trim(), 150)
  const variables = usePaged<Variable>('variables', '/v1/variables', sought === '' ? {} : { search: sought })
  const { items, total, fault } = variables
  const isSearched = search !== '' || (total ?? 0) > searchedFrom
  return (
    <Panel
      title="All variables"
      isFlush
      {...(isSearched && { aside: <SearchBox value={search} change={setSearch} /> })}
    >
      {fault !== undefined && (
        <div className="px-4 pb-3">
          <Fault text={fault} onRetry={variables.retry} />
        </div>
      )}
      {variables.isPending && <Skeleton label="Reading variables" className="px-4 pb-3" />}
      {total === 0 && sought === '' && (
        <EmptyState icon={<Braces />} title="There are none yet">
          A variable holds what several checks share, such as an address or a token.
        </EmptyState>
      )}
      {total === 0 && sought !== '' && <p className="px-4 pb-3 text-ink-soft">No name contains “{sought}”.</p>}
      <ul aria-label="Variables" className="divide-y divide-line">
        {items.map((variable) => (
          <VariableRow key={variable.key} variable={variable} edit={() => edit(variable)} />
        ))}
      </ul>
      <MoreRows list={variables} />
    </Panel>
  )
}

const SearchBox = ({ value, change }: { value: string; change: (value: string) => void }) => (
  <input
    type="search"
    aria-label="Search variables"
    placeholder="Search"
    className={`${inputLook} max-w-60`}
    value={value}
    onChange={(event) => change(event.target.value)}
  />
)

const nothing = { key: '', value: '', locked: false, secret: false }

/** Makes a variable, or gives one another value. The value of a secret is never shown: it is written anew. */
function VariableForm({ variable, onDone }: { variable?: Variable; onDone?: () => void }) {
  const [draft, setDraft] = useState(() =>
    variable ? { ...variable, value: variable.secret ? '' : (variable.value ?? '') } : nothing,
  )
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: () => {
      const { key, value, locked, secret } = draft
      return variable === undefined
        ? call('POST', '/v1/variables', { key, value, locked, secret })
        : call('PUT', `/v1/variables/${encodeURIComponent(variable.key)}`, { key, value, locked, secret })
    },
    onSuccess: async () => {
      toast(variable === undefined ? `Added ${draft.key}.` : `Changed ${draft.key}.`)
      setDraft(nothing)
      onDone?.()
      await client.invalidateQueries({ queryKey: ['variables'] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label="Name">
        {(control) => (
          <input
            {...control}
            required
            disabled={variable !== undefined}
            className={`${inputLook} font-mono`}
            value={draft.key}
            onChange={(event) => setDraft({ ...draft, key: event.target.value })}
          />
        )}
      </Field>
      <Field label="Value" {...(variable?.secret && { help: 'The present value is not shown; write the new one.' })}>
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
      </Field>
      <div>
        <Tick
          label="Hide the value on pages"
          checked={draft.locked}
          onChange={(locked) => setDraft({ ...draft, locked })}
        />
        <Tick
          label="Secret"
          help="Never shown again, and removed from results. This cannot be undone."
          checked={draft.secret}
          disabled={variable?.secret === true}
          onChange={(secret) => setDraft({ ...draft, secret })}
        />
      </div>
      {save.isError && <Fault text={save.error.message} />}
      <div>
        <Button type="submit" look="primary" isBusy={save.isPending}>
          {variable === undefined ? 'Add variable' : 'Save variable'}
        </Button>
      </div>
    </form>
  )
}

function VariableRow({ variable, edit }: { variable: Variable; edit: () => void }) {
  const [shown, setShown] = useState(false)
  const remove = useRemoveVariable(variable.key)
  const hidden = variable.secret || (variable.locked && !shown)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-1.5 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]">
      <code className="font-mono text-sm font-semibold break-all">{variable.key}</code>
      <span className="row-start-2 flex min-w-0 flex-wrap items-center gap-2 text-sm break-all text-ink-soft md:row-start-1 md:col-start-2">
        {hidden ? '••••••' : variable.value}
        {variable.secret && <Badge tone="quiet">secret</Badge>}
      </span>
      <span className="row-span-2 flex md:row-span-1">
        {variable.locked && !variable.secret && (
          <IconButton
            label={`${shown ? 'Hide' : 'Show'} ${variable.key}`}
            icon={shown ? <EyeOff className="size-4" /> : <Eye className="size-4" />}
            onClick={() => setShown(!shown)}
          />
        )}
        <IconButton label={`Edit ${variable.key}`} icon={<Pencil className="size-4" />} onClick={edit} />
        <IconButton
          label={`Delete ${variable.key}`}
          icon={<Trash2 className="size-4" />}
          disabled={remove.isPending}
          onClick={() => remove.mutate()}
        />
      </span>
    </li>
  )
}

function useRemoveVariable(key: string) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: ['variables'] })
  const path = `/v1/variables/${encodeURIComponent(key)}`
  const restore = useMutation({
    mutationFn: () => call('POST', `${path}/restore`, {}),
    onSuccess: refresh,
    onError: (error) => toast(error.message, 'fault'),
  })
  return useMutation({
    mutationFn: () => call('DELETE', path),
    onSuccess: () => {
      toastUndo(`Deleted ${key}.`, () => restore.mutate())
      return refresh()
    },
    onError: (error) => toast(error.message, 'fault'),
  })
}

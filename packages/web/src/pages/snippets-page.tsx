import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Snippet } from '@vedette/wire'
import { FileCode2, Pencil, Trash2 } from 'lucide-react'
import { Fragment, useState, type FormEvent } from 'react'
import { call } from '../api/client.ts'
import { snippetQuery } from '../api/snippets.ts'
import { usePaged } from '../api/use-paged.ts'
import { PagePlaceOf } from '../app/page-place.ts'
import { MoreRows } from '../components/lists/more-rows.tsx'
import { refusedFields } from '../form/refused.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { areaLook, Field, inputLook } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Fault, Panel } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast, toastUndo } from '../ui/toast.ts'

/** Pieces of script that several checks share. */
export function SnippetsPage() {
  const snippets = usePaged<Snippet>('snippets', '/v1/snippets')
  const navigate = useNavigate()
  const { edit } = useSearch({ from: '/shell/snippets' })
  const open = (id?: number) =>
    void navigate({ to: '/snippets', search: id === undefined ? {} : { edit: id }, resetScroll: false })
  const listed = snippets.items.find(({ id }) => id === edit)
  const alone = useQuery({ ...snippetQuery(edit ?? 0), enabled: edit !== undefined && !snippets.isPending && !listed })
  const editing = listed ?? (edit === undefined ? undefined : alone.data)
  return (
    <>
      <PagePlaceOf title="Snippets" />
      <h1 className="text-xl font-semibold tracking-tight">Snippets</h1>
      <p className="mb-3 text-ink-soft">
        Scripts for the setup and teardown of API checks. They cannot be run yet: a check that uses one waits until they
        can.
      </p>
      {editing === undefined && alone.isError && <Fault text={alone.error.message} />}
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_32rem]">
        <Panel title="All snippets" isFlush>
          {snippets.fault !== undefined && (
            <div className="px-4 pb-3">
              <Fault text={snippets.fault} onRetry={snippets.retry} />
            </div>
          )}
          {snippets.isPending && <Skeleton label="Reading snippets" className="px-4 pb-3" />}
          {snippets.total === 0 && (
            <EmptyState icon={<FileCode2 />} title="There are none yet">
              A snippet is code that several checks share, such as a sign-in before the request. It is chosen by its
              name in the form of an API check or of a group.
            </EmptyState>
          )}
          <ul aria-label="Snippets" className="divide-y divide-line">
            {snippets.items.map((snippet) => (
              <SnippetRow key={snippet.id} snippet={snippet} edit={() => open(snippet.id)} />
            ))}
          </ul>
          <MoreRows list={snippets} />
        </Panel>
        <Panel title="New snippet">
          <SnippetForm />
        </Panel>
      </div>
      {editing && (
        <Dialog isOpen size="large" onClose={() => open()} title={`Edit ${editing.name}`}>
          <SnippetForm key={editing.id} snippet={editing} onDone={() => open()} />
        </Dialog>
      )}
    </>
  )
}

const nothing = { name: '', script: '' }

function SnippetForm({ snippet, onDone }: { snippet?: Snippet; onDone?: () => void }) {
  const [draft, setDraft] = useState<Pick<Snippet, 'name' | 'script'>>(snippet ?? nothing)
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: ({ name, script }: typeof draft) =>
      snippet === undefined
        ? call('POST', '/v1/snippets', { name, script })
        : call('PUT', `/v1/snippets/${snippet.id}`, { name, script }),
    onSuccess: async () => {
      toast(snippet === undefined ? `Added ${draft.name}.` : `Changed ${draft.name}.`)
      setDraft(nothing)
      onDone?.()
      await client.invalidateQueries({ queryKey: ['snippets'] })
    },
  })
  const refused = refusedFields(save.error)
  const complaintOf = (path: string) => refused.find((one) => one.path === path)?.message
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(draft)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label="Name" faulty={complaintOf('name') !== undefined} complaint={complaintOf('name')}>
        {(control) => (
          <input
            {...control}
            required
            className={inputLook}
            value={draft.name}
            onChange={(event) => setDraft({ ...draft, name: event.target.value })}
          />
        )}
      </Field>
      <Field label="Code" faulty={complaintOf('script') !== undefined} complaint={complaintOf('script')}>
        {(control) => (
          <textarea
            {...control}
            required
            rows={14}
            spellCheck={false}
            className={areaLook}
            value={draft.script}
            onChange={(event) => setDraft({ ...draft, script: event.target.value })}
          />
        )}
      </Field>
      {save.isError && refused.length === 0 && <Fault text={save.error.message} />}
      <div>
        <Button type="submit" look="primary" isBusy={save.isPending}>
          {snippet === undefined ? 'Add snippet' : 'Save snippet'}
        </Button>
      </div>
    </form>
  )
}

function SnippetRow({ snippet, edit }: { snippet: Snippet; edit: () => void }) {
  const remove = useRemoveSnippet(snippet)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-1.5">
      <div className="min-w-0">
        <p className="font-semibold break-words">
          {snippet.name} <span className="font-mono text-sm font-normal text-ink-soft">{snippet.id}</span>
        </p>
        <UsedBy snippet={snippet} />
      </div>
      <span className="flex">
        <IconButton label={`Edit ${snippet.name}`} icon={<Pencil className="size-4" />} onClick={edit} />
        <IconButton
          label={`Delete ${snippet.name}`}
          icon={<Trash2 className="size-4" />}
          disabled={remove.isPending}
          onClick={() => remove.mutate()}
        />
      </span>
    </li>
  )
}

function UsedBy({ snippet: { usedBy, usedByCount } }: { snippet: Snippet }) {
  if (usedByCount === 0) return <p className="text-sm text-ink-soft">No check uses it.</p>
  const others = usedByCount - usedBy.length
  return (
    <p className="text-sm break-words text-ink-soft">
      Used by{' '}
      {usedBy.map(({ checkId, name }, at) => (
        <Fragment key={checkId}>
          {at > 0 && ', '}
          <Link to="/checks/$checkId" params={{ checkId }} className="underline hover:text-ink">
            {name}
          </Link>
        </Fragment>
      ))}
      {others > 0 && ` and ${others} more`}
    </p>
  )
}

/** A snippet that was deleted comes back by being made again, with another number: nothing refers to it. */
function useRemoveSnippet({ id, name, script }: Snippet) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: ['snippets'] })
  const restore = useMutation({
    mutationFn: () => call('POST', '/v1/snippets', { name, script }),
    onSuccess: refresh,
    onError: (error) => toast(error.message, 'fault'),
  })
  return useMutation({
    mutationFn: () => call('DELETE', `/v1/snippets/${id}`),
    onSuccess: () => {
      toastUndo(`Deleted ${name}.`, () => restore.mutate())
      return refresh()
    },
    onError: (error) => toast(error.message, 'fault'),
  })
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SavedView } from '@vedette/wire'
import { BookmarkPlus, X } from 'lucide-react'
import { Suspense, useState } from 'react'
import { deleteView, saveView, savedViewsQuery } from '../../api/saved-views.ts'
import { queryOf, searchOf, type ChecksSearch } from '../../app/checks-search.ts'
import { lazyPart } from '../../app/lazy-part.ts'
import { Button } from '../../ui/button.tsx'
import { iconButtonLook } from '../../ui/icon-button-look.ts'
import { toast, toastUndo } from '../../ui/toast.ts'

const SaveView = lazyPart('asked', async () => (await import('./save-view.tsx')).SaveView)

/** Views that the team has saved, the present one among them, and a way to save it when it is not. */
export function SavedViews({ search }: { search: ChecksSearch }) {
  const { data: views = [] } = useQuery(savedViewsQuery)
  const [isSaving, setSaving] = useState(false)
  const now = queryOf(search)
  const present = views.find(({ query }) => queryOf(searchOf(query)) === now)
  const isNew = now !== '' && present === undefined
  if (views.length === 0 && !isNew) return null
  return (
    <nav aria-label="Saved views" className="mb-2 flex flex-wrap items-center gap-1">
      {views.map((view) => (
        <ViewLink key={view.id} view={view} isPresent={view === present} />
      ))}
      {isNew && (
        <Button
          look="quiet"
          icon={<BookmarkPlus aria-hidden="true" className="size-4" />}
          onClick={() => setSaving(true)}
        >
          Save view
        </Button>
      )}
      {isSaving && (
        <Suspense>
          <SaveView query={now} onClose={() => setSaving(false)} />
        </Suspense>
      )}
    </nav>
  )
}

function ViewLink({ view, isPresent }: { view: SavedView; isPresent: boolean }) {
  const remove = useRemoveView(view)
  return (
    <span
      className={`inline-flex max-w-full items-center rounded-md border ${isPresent ? 'border-accent bg-accent-wash' : 'border-line bg-surface hover:bg-sunken'}`}
    >
      <Link
        to="/"
        search={searchOf(view.query)}
        aria-current={isPresent ? 'page' : undefined}
        className="flex h-control min-w-0 items-center px-2.5"
      >
        <span className="max-w-60 truncate">{view.name}</span>
      </Link>
      {isPresent && (
        <button
          type="button"
          aria-label={`Delete the view ${view.name}`}
          disabled={remove.isPending}
          onClick={() => remove.mutate()}
          className={iconButtonLook}
        >
          <X aria-hidden="true" className="size-3.5" />
        </button>
      )}
    </span>
  )
}

function useRemoveView(view: SavedView) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: savedViewsQuery.queryKey })
  const onError = (error: Error) => toast(error.message, 'fault')
  const saveAgain = useMutation({ mutationFn: () => saveView(view), onSuccess: refresh, onError })
  return useMutation({
    mutationFn: () => deleteView(view),
    onSuccess: () => {
      toastUndo(`Deleted the view ${view.name}.`, () => saveAgain.mutate())
      return refresh()
    },
    onError,
  })
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Check, OverviewRow } from '@vedette/wire'
import { call } from '../../api/client.ts'
import { Button, buttonLook } from '../basics/button.tsx'

/** The actions on a check. The outcome of each is shown beside the buttons. */
export function CheckActions({ item }: { item: OverviewRow }) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries()
  const path = `/v1/checks/${item.checkType.toLowerCase()}/${item.checkId}`
  const run = useMutation({ mutationFn: () => call('POST', `/v1/checks/${item.checkId}/run`, {}), onSuccess: refresh })
  const change = useMutation({ mutationFn: (fields: Partial<Check>) => call('PUT', path, fields), onSuccess: refresh })
  const failure = run.error ?? change.error
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button look="primary" onClick={() => run.mutate()} disabled={run.isPending || !item.activated}>
        {run.isPending ? 'Starting…' : 'Run now'}
      </Button>
      <Link to="/checks/$checkId/edit" params={{ checkId: item.checkId }} className={buttonLook()}>
        Edit
      </Link>
      <Button onClick={() => change.mutate({ muted: !item.muted })} disabled={change.isPending}>
        {item.muted ? 'Unmute' : 'Mute'}
      </Button>
      <Button onClick={() => change.mutate({ activated: !item.activated })} disabled={change.isPending}>
        {item.activated ? 'Pause' : 'Resume'}
      </Button>
      <DeleteCheck item={item} />
      <p role="status" className="basis-full text-sm text-ink-soft">
        {failure ? (
          <span className="text-fail">{failure.message}</span>
        ) : (
          run.isSuccess && 'A run was started; its result appears below.'
        )}
      </p>
    </div>
  )
}

function DeleteCheck({ item }: { item: OverviewRow }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => call('DELETE', `/v1/checks/${item.checkId}`),
    onSuccess: async () => {
      await navigate({ to: '/' })
      await client.invalidateQueries()
    },
  })
  return (
    <>
      <Button look="danger" onClick={() => dialog.current?.showModal()}>
        Delete
      </Button>
      <dialog
        ref={dialog}
        aria-labelledby="delete-title"
        className="m-auto max-w-md rounded-xl border border-line bg-surface p-6 text-ink backdrop:bg-black/50"
      >
        <h2 id="delete-title" className="text-lg font-semibold">
          Delete “{item.name}”?
        </h2>
        <p className="my-3">
          It stops running and its results are no longer shown. The record of its notifications stays.
        </p>
        {remove.isError && (
          <p role="alert" className="text-fail">
            {remove.error.message}
          </p>
        )}
        <div className="flex gap-2">
          <Button look="danger" onClick={() => remove.mutate()} disabled={remove.isPending}>
            Delete the check
          </Button>
          <Button onClick={() => dialog.current?.close()}>Keep it</Button>
        </div>
      </dialog>
    </>
  )
}

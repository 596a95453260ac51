import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type FormEvent } from 'react'
import { saveView, savedViewsQuery } from '../../api/saved-views.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, inputLook } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'

interface Props {
  /** The view, as a query. */
  query: string
  onClose: () => void
}

/** Gives the present view a name. */
export function SaveView({ query, onClose }: Props) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const save = useMutation({
    mutationFn: () => saveView({ name, query }),
    onSuccess: async () => {
      onClose()
      toast(`Saved the view ${name.trim()}.`)
      await client.invalidateQueries({ queryKey: savedViewsQuery.queryKey })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Dialog isOpen onClose={onClose} title="Save this view" focusFirst={field}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-3">
        <Field
          label="Name"
          help="Filters, groups and order are kept under it, for everybody of your team."
          faulty={save.isError}
          complaint={save.error?.message}
        >
          {(control) => (
            <input
              {...control}
              ref={field}
              className={inputLook}
              value={name}
              maxLength={60}
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <div>
          <Button type="submit" look="primary" isBusy={save.isPending}>
            Save view
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

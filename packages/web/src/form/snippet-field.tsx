import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FormField } from '@vedette/checks'
import { snippetsQuery } from '../api/snippets.ts'
import { Field } from '../ui/field.tsx'
import { Fault } from '../ui/panel.tsx'
import { useField } from './form-context.ts'
import { IdSelect } from './id-select.tsx'

/** A snippet by its name, and the way to it. What was typed into the form is still there on the way back. */
export function SnippetField({ field: { path, label, help } }: { field: FormField }) {
  const { value, set, faulty, complaint } = useField<number | null>(path)
  const snippets = useQuery(snippetsQuery)
  const chosen = snippets.data?.find(({ id }) => id === value)
  return (
    <div>
      <Field label={label} help={help} faulty={faulty} complaint={complaint}>
        {(control) => <IdSelect {...control} value={value} set={set} choices={snippets.data ?? []} />}
      </Field>
      {snippets.isError && <Fault text={snippets.error.message} onRetry={() => void snippets.refetch()} />}
      {value !== null ? (
        <Link to="/snippets" search={{ edit: value }} className={linkLook}>
          Open {chosen?.name ?? `snippet ${value}`}
        </Link>
      ) : (
        snippets.data?.length === 0 && (
          <Link to="/snippets" className={linkLook}>
            Add a snippet
          </Link>
        )
      )}
    </div>
  )
}

const linkLook =
  'inline-flex min-h-6 items-center text-sm break-words text-accent underline underline-offset-2 max-md:min-h-11'

import type { AuditEntry } from '@vedette/wire'
import { ClockTime } from '../time/time-text.tsx'

interface Props {
  entry: AuditEntry
  onActor: () => void
  onThing: () => void
}

/** One change: who, what and when, and on demand how the thing was before and after. */
export function AuditRow({ entry, onActor, onThing }: Props) {
  const changes = changesOf(entry)
  return (
    <li className="px-4 py-2">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-sm text-ink-soft">
          <ClockTime at={entry.at} hasSeconds />
        </span>
        <button
          type="button"
          className="min-h-control text-left font-semibold break-all hover:underline"
          onClick={onActor}
        >
          {entry.actorName}
        </button>
        <span>
          {past[entry.action]} {entry.resource}
        </span>
        <button
          type="button"
          className="min-h-control text-left font-mono text-sm break-all text-ink-soft hover:underline"
          onClick={onThing}
        >
          {nameOf(entry)}
        </button>
      </p>
      {changes.length > 0 && (
        <details className="text-sm">
          <summary className="flex min-h-control cursor-pointer items-center text-ink-soft">
            {changes.length === 1 ? '1 field' : `${changes.length} fields`}
          </summary>
          <dl className="grid grid-cols-[minmax(6rem,max-content)_minmax(0,1fr)] gap-x-3 gap-y-1 pb-2">
            {changes.map(({ field, before, after }) => (
              <div key={field} className="contents">
                <dt className="font-mono break-all">{field}</dt>
                <dd className="font-mono break-all">
                  {before !== undefined && <del className="text-ink-soft">{before}</del>}
                  {before !== undefined && after !== undefined && ' '}
                  {after !== undefined && <ins className="no-underline">{after}</ins>}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </li>
  )
}

const past: Record<AuditEntry['action'], string> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  revoke: 'revoked',
  run: 'ran',
  acknowledge: 'acknowledged',
  restore: 'restored',
  trigger: 'ran by request',
  cancel: 'cancelled',
}

function nameOf({ before, after, resourceId }: AuditEntry): string {
  const { name, email } = after ?? before ?? {}
  return typeof name === 'string' ? name : typeof email === 'string' ? email : resourceId
}

/** The fields that differ, as short texts. */
function changesOf({ before, after }: AuditEntry): { field: string; before?: string; after?: string }[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return fields
    .map((field) => ({ field, was: textOf(before?.[field]), is: textOf(after?.[field]) }))
    .filter(({ was, is }) => was !== is)
    .map(({ field, was, is }) => ({
      field,
      ...(was !== undefined && { before: was }),
      ...(is !== undefined && { after: is }),
    }))
}

const textOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value)

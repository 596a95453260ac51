import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { auditActions, type AuditEntry } from '@vedette/wire'
import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { callPage } from '../api/client.ts'
import { AuditRow } from '../components/settings/audit-entry.tsx'
import { SettingsHead } from '../components/settings/settings-head.tsx'
import { Button } from '../ui/button.tsx'
import { RemovableChip } from '../ui/chip.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Fault, Panel } from '../ui/panel.tsx'
import { Select } from '../ui/select.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const pageSize = 50
const resources = [
  'accounts',
  'alert-channels',
  'api-keys',
  'checks',
  'members',
  'saved-views',
  'users',
  'variables',
] as const

interface Filter {
  resource?: string
  action?: string
  actor?: { id: string; name: string }
  resourceId?: string
}

/** Who changed what in the account. */
export function AuditLogPage() {
  const [filter, setFilter] = useState<Filter>({})
  const [page, setPage] = useState(1)
  const { actor, ...rest } = filter
  const log = useQuery({
    queryKey: ['audit-log', filter, page],
    queryFn: () => callPage<AuditEntry>('/v1/audit-log', { limit: pageSize, page, actor: actor?.id, ...rest }),
    placeholderData: keepPreviousData,
  })
  const show = (next: Filter) => {
    setFilter(next)
    setPage(1)
  }
  const total = log.data?.total ?? 0
  return (
    <>
      <SettingsHead page="Audit log" />
      <Panel title="Changes" isFlush aside={<Filters filter={filter} show={show} />}>
        {log.isPending && <Skeleton label="Reading the audit log" className="m-4" />}
        {log.isError && (
          <div className="px-4 pb-3">
            <Fault text={log.error.message} onRetry={() => void log.refetch()} />
          </div>
        )}
        {log.data && total === 0 && (
          <EmptyState icon={<ScrollText />} title="Nothing was changed">
            Everything that somebody or a key creates, changes or deletes is written down here.
          </EmptyState>
        )}
        <ul aria-label="Changes" className="divide-y divide-line">
          {log.data?.items.map((entry) => (
            <AuditRow
              key={entry.id}
              entry={entry}
              onActor={() => show({ ...filter, actor: { id: entry.actor, name: entry.actorName } })}
              onThing={() => show({ ...filter, resourceId: entry.resourceId })}
            />
          ))}
        </ul>
        {total > pageSize && (
          <div className="flex items-center gap-2 px-4 py-2">
            <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
              Newer
            </Button>
            <Button disabled={page * pageSize >= total} onClick={() => setPage(page + 1)}>
              Older
            </Button>
            <span className="text-sm text-ink-soft">{total} in all</span>
          </div>
        )}
      </Panel>
    </>
  )
}

function Filters({ filter, show }: { filter: Filter; show: (next: Filter) => void }) {
  const without = (name: keyof Filter) =>
    show(Object.fromEntries(Object.entries(filter).filter(([key]) => key !== name)))
  const choose = (name: 'resource' | 'action', value: string) =>
    value === '' ? without(name) : show({ ...filter, [name]: value })
  return (
    <div className="flex flex-wrap items-center gap-2 py-1">
      {filter.actor && <RemovableChip label={`By ${filter.actor.name}`} onRemove={() => without('actor')} />}
      {filter.resourceId !== undefined && (
        <RemovableChip label={`Of ${filter.resourceId}`} onRemove={() => without('resourceId')} />
      )}
      <Select
        aria-label="Kind of thing"
        value={filter.resource ?? ''}
        onChange={(event) => choose('resource', event.target.value)}
      >
        <option value="">All things</option>
        {resources.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </Select>
      <Select
        aria-label="Kind of change"
        value={filter.action ?? ''}
        onChange={(event) => choose('action', event.target.value)}
      >
        <option value="">All changes</option>
        {auditActions.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </Select>
    </div>
  )
}

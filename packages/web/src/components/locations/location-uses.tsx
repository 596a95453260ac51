import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { LocationUse } from '@vedette/wire'
import { Fault, Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { usesQuery } from './private-locations-query.ts'

/** The checks and groups of a private location. */
export function LocationUses({ id }: { id: string }) {
  const uses = useQuery(usesQuery(id))
  return (
    <Panel title="What runs here">
      {uses.isError && <Fault text={uses.error.message} onRetry={() => void uses.refetch()} />}
      {uses.isPending && <Skeleton label="Reading what runs here" />}
      {uses.data?.length === 0 && (
        <p className="text-ink-soft">Nothing yet. Choose this location in the form of a check or of a group.</p>
      )}
      <ul aria-label="What runs here" className="divide-y divide-line empty:hidden">
        {uses.data?.map((use) => (
          <li key={`${use.kind} ${use.id}`} className="flex min-h-control flex-wrap items-center gap-x-2">
            <UseLink use={use} />
            {use.kind === 'check group' && <span className="text-sm text-ink-soft">group</span>}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const look = 'min-w-0 break-words underline decoration-line-strong underline-offset-4 hover:text-accent max-md:py-2.5'

function UseLink({ use: { kind, id, name } }: { use: LocationUse }) {
  return kind === 'check' ? (
    <Link to="/checks/$checkId" params={{ checkId: id }} className={look}>
      {name}
    </Link>
  ) : (
    <Link to="/groups/$groupId" params={{ groupId: id }} className={look}>
      {name}
    </Link>
  )
}

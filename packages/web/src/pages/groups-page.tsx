import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CheckGroup, OverviewGroup } from '@vedette/wire'
import { Folder, Pencil, Plus, Trash2 } from 'lucide-react'
import { groupCountsQuery, groupsQuery } from '../api/groups.ts'
import { call } from '../api/client.ts'
import { checksText } from '../api/checks-text.ts'
import { PagePlaceOf } from '../app/page-place.ts'
import { StateIcon, stateLooks, statesWorstFirst } from '../components/checks/state-mark.tsx'
import { Badge } from '../ui/badge.tsx'
import { buttonLook } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Fault } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.ts'

/** Groups of checks: what they share, and how their checks are. */
export function GroupsPage() {
  const groups = useQuery(groupsQuery)
  const counts = useQuery(groupCountsQuery)
  const none = groups.data?.length === 0
  return (
    <>
      <PagePlaceOf title="Groups" />
      <div className="mb-3 flex items-center justify-between gap-3">
        <h1 className="text-xl font-semibold tracking-tight">Groups</h1>
        {groups.isSuccess && !none && <AddLink />}
      </div>
      {groups.isError && <Fault text={groups.error.message} onRetry={() => void groups.refetch()} />}
      {groups.isPending && <Skeleton label="Reading groups" />}
      {none && (
        <EmptyState icon={<Folder />} title="There is no group yet" actions={<AddLink />}>
          A group holds what several checks share: locations, retries, alert channels, variables and request headers.
        </EmptyState>
      )}
      {groups.data !== undefined && !none && (
        <ul aria-label="Groups" className="divide-y divide-line rounded-lg border border-line bg-surface shadow-raised">
          {groups.data.map((group) => (
            <GroupRow key={group.id} group={group} counts={counts.data?.get(group.id)} />
          ))}
        </ul>
      )}
    </>
  )
}

const AddLink = () => (
  <Link to="/groups/$groupId" params={{ groupId: 'new' }} className={buttonLook('primary')}>
    <Plus aria-hidden="true" className="size-4" /> Add group
  </Link>
)

function GroupRow({ group, counts }: { group: CheckGroup; counts: OverviewGroup | undefined }) {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => call('DELETE', `/v1/check-groups/${group.id}`),
    onSuccess: () => {
      toast(`Deleted ${group.name}.`)
      return client.invalidateQueries({ queryKey: groupsQuery.queryKey })
    },
    onError: (error) => toast(error.message, 'fault'),
  })
  const total = counts?.total ?? 0
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="flex flex-wrap items-center gap-2 font-medium break-words">
          <Link to="/" search={{ inGroup: group.id }} className="hover:underline">
            {group.name}
          </Link>
          {!group.activated && <Badge tone="quiet">paused</Badge>}
          {group.muted && <Badge tone="quiet">muted</Badge>}
        </h2>
        <p className="flex flex-wrap items-center gap-x-3 text-sm text-ink-soft">
          {total === 0 ? 'No checks' : checksText(total)}
          {statesWorstFirst
            .filter((state) => (counts?.counts[state] ?? 0) > 0)
            .map((state) => (
              <span key={state} className="flex items-center gap-1">
                <StateIcon state={state} /> {counts?.counts[state]} {stateLooks[state].label.toLowerCase()}
              </span>
            ))}
        </p>
      </div>
      <Link
        to="/groups/$groupId"
        params={{ groupId: String(group.id) }}
        aria-label={`Edit ${group.name}`}
        className={buttonLook('plain')}
      >
        <Pencil aria-hidden="true" className="size-4" /> Edit
      </Link>
      <IconButton
        label={total === 0 ? `Delete ${group.name}` : `${group.name} has checks: move or delete them first`}
        icon={<Trash2 aria-hidden="true" className="size-4" />}
        disabled={remove.isPending || total > 0}
        onClick={() => remove.mutate()}
      />
    </li>
  )
}

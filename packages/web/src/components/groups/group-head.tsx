import { useQuery } from '@tanstack/react-query'
import type { CheckGroup } from '@vedette/wire'
import { FastForward } from 'lucide-react'
import { ApiFailure } from '../../api/client.ts'
import { groupCountsQuery } from '../../api/groups.ts'
import { useRunGroup } from '../../api/sessions.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/panel.tsx'

/** The name of a group, and the way to run all of it now. */
export function GroupHead({ group }: { group: CheckGroup }) {
  const run = useRunGroup(group.id)
  const total = useQuery(groupCountsQuery).data?.get(group.id)?.total ?? 0
  return (
    <div className="mb-3">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <h1 className="min-w-0 flex-1 basis-80 text-xl font-semibold tracking-tight break-words">Edit {group.name}</h1>
        <Button
          icon={<FastForward aria-hidden="true" className="size-4" />}
          isBusy={run.isPending}
          onClick={() => run.mutate()}
        >
          Run now
        </Button>
      </div>
      {run.isError && <Fault text={reasonOf(run.error, group, total)} />}
    </div>
  )
}

/** Why nothing ran. */
function reasonOf(error: Error, { name, activated }: CheckGroup, total: number): string {
  if (!(error instanceof ApiFailure) || error.status !== 404) return error.message
  if (total === 0) return `Nothing to run: ${name} has no checks.`
  if (!activated) return `Nothing ran: ${name} is paused, and so are its checks.`
  return `Nothing in ${name} can run: its checks are paused, wait for events, or cannot run in this version.`
}

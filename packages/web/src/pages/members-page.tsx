import { useInfiniteQuery } from '@tanstack/react-query'
import type { AccountMembersList } from '@vedette/wire'
import { Users } from 'lucide-react'
import { useState } from 'react'
import { call, withQuery } from '../api/client.ts'
import { useSession } from '../app/session.ts'
import { InviteForm } from '../components/settings/invite-form.tsx'
import { MemberRow } from '../components/settings/member-row.tsx'
import { SettingsHead } from '../components/settings/settings-head.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { inputLook } from '../ui/field.tsx'
import { useDebounced } from '../ui/hooks/use-debounced.ts'
import { Fault, Panel } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** Who belongs to the account, and who is invited. */
export function MembersPage() {
  const { data: profile } = useSession()
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed, 250)
  const members = useMembers(search)
  const entries = members.data?.pages.flatMap((page) => page.members) ?? []
  if (!profile) return null
  return (
    <>
      <SettingsHead page="Members" />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <Panel
          title="Members"
          isFlush
          aside={
            <input
              type="search"
              aria-label="Search members"
              placeholder="Name or e-mail"
              className={`${inputLook} max-w-60`}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          }
        >
          {members.isPending && <Skeleton label="Reading the members" className="m-4" />}
          {members.isError && (
            <div className="px-4 pb-3">
              <Fault text={members.error.message} onRetry={() => void members.refetch()} />
            </div>
          )}
          {members.data && entries.length === 0 && (
            <EmptyState icon={<Users />} title={search === '' ? 'Nobody is here yet' : 'Nobody is called that'}>
              Invite somebody by e-mail: a link leads them in, and their role says what they may do.
            </EmptyState>
          )}
          <ul aria-label="Members" className="divide-y divide-line">
            {entries.map((entry) => (
              <MemberRow key={entry.type === 'member' ? entry.userId : entry.id} entry={entry} profile={profile} />
            ))}
          </ul>
          {members.hasNextPage && (
            <div className="px-4 py-2">
              <Button isBusy={members.isFetchingNextPage} onClick={() => void members.fetchNextPage()}>
                Show more
              </Button>
            </div>
          )}
        </Panel>
        {profile.role === 'admin' && <InviteForm />}
      </div>
    </>
  )
}

const useMembers = (search: string) =>
  useInfiniteQuery({
    queryKey: ['members', search],
    queryFn: ({ pageParam }) =>
      call<AccountMembersList>(
        'GET',
        withQuery('/v1/accounts/me/members', { limit: 50, search, nextId: pageParam ?? undefined }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextId }) => nextId,
  })

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { memberRoles, type AccountInvite, type AccountMember, type MemberRole, type Profile } from '@vedette/wire'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Fault } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'
import { TimeAgo } from '../time/time-text.tsx'
import { roleWords } from './role-words.ts'

type Entry = AccountMember | AccountInvite
const idOf = (entry: Entry): string => (entry.type === 'member' ? entry.userId : entry.id)

/** A member or an invitation, with what the reader may change of it. */
export function MemberRow({ entry, profile }: { entry: Entry; profile: Profile }) {
  const [isAsking, setAsking] = useState(false)
  const change = useChangeRole(idOf(entry))
  const mayChange = profile.role === 'admin' && (entry.role !== 'OWNER' || profile.isOwner)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-3 px-4 py-2">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 font-semibold">
          <span className="min-w-0 break-all">{entry.email}</span>
          {entry.type === 'invite' && <InviteBadge status={entry.status} />}
          {entry.type === 'member' && entry.mfaEnabled && <Badge tone="pass">second factor</Badge>}
        </p>
        <p className="text-sm break-words text-ink-soft">
          <About entry={entry} />
        </p>
      </div>
      {mayChange && entry.type === 'member' ? (
        <Select
          aria-label={`Role of ${entry.email}`}
          value={entry.role}
          onChange={(event) => change.mutate(event.target.value as MemberRole)}
        >
          {memberRoles
            .filter((role) => role !== 'OWNER' || profile.isOwner)
            .map((role) => (
              <option key={role} value={role}>
                {roleWords[role].name}
              </option>
            ))}
        </Select>
      ) : (
        <span className="text-ink-soft">{roleWords[entry.role].name}</span>
      )}
      {mayChange ? (
        <IconButton
          label={entry.type === 'member' ? `Take out ${entry.email}` : `Take back the invitation of ${entry.email}`}
          icon={<Trash2 className="size-4" />}
          onClick={() => setAsking(true)}
        />
      ) : (
        <span />
      )}
      {change.isError && (
        <div className="col-span-3">
          <Fault text={change.error.message} />
        </div>
      )}
      {isAsking && <RemoveDialog entry={entry} onClose={() => setAsking(false)} />}
    </li>
  )
}

const InviteBadge = ({ status }: Pick<AccountInvite, 'status'>) =>
  status === 'PENDING' ? <Badge tone="accent">invited</Badge> : <Badge tone="degraded">invitation expired</Badge>

function About({ entry }: { entry: Entry }) {
  if (entry.type === 'member')
    return (
      <>
        {entry.name}, since <TimeAgo at={entry.createdAt} />
      </>
    )
  return (
    <>
      by {entry.inviterEmail}, <TimeAgo at={entry.createdAt} />
    </>
  )
}

function useChangeRole(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (role: MemberRole) => call<AccountMember>('PATCH', `/v1/accounts/me/members/${id}`, { role }),
    onSuccess: async ({ email, role }) => {
      toast(`${email} is ${roleWords[role].name.toLowerCase()} now.`)
      await Promise.all([['members'], ['session']].map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}

/** Asked first: what was taken out cannot be brought back, only invited again. */
function RemoveDialog({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => call('DELETE', `/v1/accounts/me/members/${idOf(entry)}`),
    onSuccess: async () => {
      onClose()
      await client.invalidateQueries({ queryKey: ['members'] })
    },
  })
  const isMember = entry.type === 'member'
  return (
    <Dialog isOpen onClose={onClose} title={isMember ? `Take out ${entry.email}?` : 'Take back the invitation?'}>
      <p className="mb-4">
        {isMember
          ? 'They are signed out of this account at once, and the keys that are theirs end. What they have made stays.'
          : `The link sent to ${entry.email} will lead nowhere.`}
      </p>
      {remove.isError && <Fault text={remove.error.message} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          {isMember ? 'Take out' : 'Take back'}
        </Button>
      </div>
    </Dialog>
  )
}

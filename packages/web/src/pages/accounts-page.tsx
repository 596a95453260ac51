import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CreatedInstallationAccount, InstallationAccount } from '@vedette/wire'
import { useState, type FormEvent } from 'react'
import { call, callPage } from '../api/client.ts'
import { useSession } from '../app/session.ts'
import { SettingsHead } from '../components/settings/settings-head.tsx'
import { Moment, TimeAgo } from '../components/time/time-text.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy-text.tsx'
import { Field, inputLook } from '../ui/field.tsx'
import { Fault, Panel } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast, toastUndo } from '../ui/toast.ts'

const path = '/v1/installation/accounts'
const pageSize = 50

/** All accounts of the installation, for its operator. */
export function AccountsPage() {
  const [page, setPage] = useState(1)
  const accounts = useQuery({
    queryKey: ['accounts', page],
    queryFn: () => callPage<InstallationAccount>(path, { limit: pageSize, page }),
  })
  const total = accounts.data?.total ?? 0
  return (
    <>
      <SettingsHead page="Accounts" />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <Panel title="All accounts" isFlush>
          {accounts.isPending && <Skeleton label="Reading the accounts" className="m-4" />}
          {accounts.isError && (
            <div className="px-4 pb-3">
              <Fault text={accounts.error.message} onRetry={() => void accounts.refetch()} />
            </div>
          )}
          <ul aria-label="Accounts" className="divide-y divide-line">
            {accounts.data?.items.map((account) => (
              <AccountRow key={account.id} account={account} />
            ))}
          </ul>
          {total > pageSize && (
            <div className="flex gap-2 px-4 py-2">
              <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
                Back
              </Button>
              <Button disabled={page * pageSize >= total} onClick={() => setPage(page + 1)}>
                Next
              </Button>
            </div>
          )}
        </Panel>
        <NewAccount />
      </div>
    </>
  )
}

function AccountRow({ account }: { account: InstallationAccount }) {
  const { data: profile } = useSession()
  const change = useSuspension(account)
  const isSuspended = account.suspendedAt !== null
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-2">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 font-semibold">
          <span className="min-w-0 break-words">{account.name}</span>
          {isSuspended && <Badge tone="degraded">suspended</Badge>}
        </p>
        <p className="text-sm break-words text-ink-soft">
          {account.members} {account.members === 1 ? 'member' : 'members'}, {account.checks}{' '}
          {account.checks === 1 ? 'check' : 'checks'}, made <TimeAgo at={account.created_at} />
          {account.suspendedAt !== null && (
            <>
              , suspended since <Moment at={account.suspendedAt} />
            </>
          )}
        </p>
        {change.isError && <Fault text={change.error.message} />}
      </div>
      {account.id === profile?.accountId ? (
        <span className="text-ink-soft">operates Vedette</span>
      ) : (
        <Button
          look={isSuspended ? 'plain' : 'danger'}
          isBusy={change.isPending}
          aria-label={`${isSuspended ? 'Resume' : 'Suspend'} ${account.name}`}
          onClick={() => change.mutate(isSuspended ? 'resume' : 'suspend')}
        >
          {isSuspended ? 'Resume' : 'Suspend'}
        </Button>
      )}
    </li>
  )
}

function useSuspension({ id, name }: InstallationAccount) {
  const client = useQueryClient()
  const send = (what: 'suspend' | 'resume') =>
    call('POST', `${path}/${id}/${what}`, what === 'suspend' ? {} : undefined)
  const refresh = () => client.invalidateQueries({ queryKey: ['accounts'] })
  const undo = useMutation({
    mutationFn: () => send('resume'),
    onSuccess: refresh,
    onError: (error) => toast(error.message, 'fault'),
  })
  return useMutation({
    mutationFn: send,
    onSuccess: (_, what) => {
      if (what === 'suspend') toastUndo(`Suspended ${name}.`, () => undo.mutate())
      else toast(`Resumed ${name}.`)
      return refresh()
    },
  })
}

function NewAccount() {
  const [name, setName] = useState('')
  const [ownerEmail, setOwner] = useState('')
  const client = useQueryClient()
  const create = useMutation({
    mutationFn: () => call<CreatedInstallationAccount>('POST', path, { name, ownerEmail }),
    onSuccess: () => {
      setName('')
      setOwner('')
      return client.invalidateQueries({ queryKey: ['accounts'] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <Panel title="New account">
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field label="Name" help="An account has checks, channels and members of its own.">
          {(control) => (
            <input
              {...control}
              required
              maxLength={255}
              className={inputLook}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field label="E-mail of its owner">
          {(control) => (
            <input
              {...control}
              type="email"
              required
              autoComplete="off"
              className={inputLook}
              value={ownerEmail}
              onChange={(event) => setOwner(event.target.value)}
            />
          )}
        </Field>
        <div>
          <Button type="submit" look="primary" isBusy={create.isPending}>
            Create account
          </Button>
        </div>
        <div role="status">
          {create.isError && <Fault text={create.error.message} />}
          {create.data && (
            <div className="rounded-md bg-accent-wash p-3">
              <p className="mb-1 break-words">
                {create.data.invite.email} owns {create.data.name} after opening this link. It is not shown again:
              </p>
              <CopyText label="Copy the link" text={create.data.invite.link} />
            </div>
          )}
        </div>
      </form>
    </Panel>
  )
}

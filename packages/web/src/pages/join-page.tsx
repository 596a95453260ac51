import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { InviteSeen } from '@vedette/wire'
import { useEffect, useState, type FormEvent, type ReactNode } from 'react'
import { call } from '../api/client.ts'
import { useSession } from '../app/session.ts'
import { useSignOut } from '../app/session-changes.ts'
import { PasswordField } from '../components/settings/password-field.tsx'
import { roleWords } from '../components/settings/role-words.ts'
import { SignInForm } from '../components/sign-in/sign-in-form.tsx'
import { Button } from '../ui/button.tsx'
import { Field, inputLook } from '../ui/field.tsx'
import { Fault } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** Where the link of an invitation leads. */
export function JoinPage() {
  const token = new URLSearchParams(location.search).get('token') ?? ''
  const invite = useQuery({
    queryKey: ['invite', token],
    queryFn: () => call<InviteSeen>('POST', '/session/invite', { token }),
    retry: false,
  })
  useEffect(() => {
    document.title = 'Join · Vedette'
  }, [])
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <div className="w-full max-w-sm rounded-xl border border-line bg-surface p-6 shadow-raised">
        <img src="/favicon.svg" alt="" className="size-10" />
        {invite.isPending && <Skeleton label="Reading the invitation" className="mt-4" />}
        {invite.isError && (
          <Intro title="This invitation is over">
            <Fault text={invite.error.message} /> Ask whoever invited you for a new link.
          </Intro>
        )}
        {invite.data && <Invitation invite={invite.data} token={token} />}
      </div>
    </main>
  )
}

function Intro({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h1 className="mt-4 text-xl font-semibold break-words">{title}</h1>
      <div className="mt-1 mb-5 break-words text-ink-soft">{children}</div>
    </>
  )
}

function Invitation({ invite, token }: { invite: InviteSeen; token: string }) {
  const { name, may } = roleWords[invite.role]
  return (
    <>
      <Intro title={`Join ${invite.accountName}`}>
        {invite.inviter} invites {invite.email} to Vedette. Your role will be {name.toLowerCase()}: {may}.
      </Intro>
      {invite.isKnown ? <JoinKnown email={invite.email} token={token} /> : <JoinNew token={token} />}
    </>
  )
}

function useJoin(token: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (person: { name?: string; password?: string }) => call('POST', '/session/join', { token, ...person }),
    onSuccess: () => {
      client.clear()
      location.assign('/')
    },
  })
}

/** Only the invited person joins: whoever else is signed in signs out first. */
function JoinKnown({ email, token }: { email: string; token: string }) {
  const { data: profile, isPending } = useSession()
  const join = useJoin(token)
  const signOut = useSignOut()
  if (isPending) return <Skeleton label="Reading who is signed in" />
  if (!profile) return <SignInForm email={email} />
  if (profile.email.toLowerCase() !== email.toLowerCase())
    return (
      <>
        <p className="mb-3 break-words">You are signed in as {profile.email}. Sign out, then open the link again.</p>
        <Button onClick={signOut}>Sign out</Button>
      </>
    )
  return (
    <>
      {join.isError && <Fault text={join.error.message} />}
      <Button look="primary" isBusy={join.isPending} onClick={() => join.mutate({})}>
        Join as {email}
      </Button>
    </>
  )
}

function JoinNew({ token }: { token: string }) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const join = useJoin(token)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    join.mutate({ name, password })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label="Your name">
        {(control) => (
          <input
            {...control}
            required
            maxLength={255}
            autoComplete="name"
            className={inputLook}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <PasswordField
        label="Choose a password"
        help="At least 10 characters."
        kind="new-password"
        value={password}
        onChange={setPassword}
      />
      {join.isError && <Fault text={join.error.message} />}
      <Button type="submit" look="primary" isBusy={join.isPending}>
        Join
      </Button>
    </form>
  )
}

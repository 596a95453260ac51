import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState, type FormEvent } from 'react'
import { call } from '../api/client.ts'
import { useSession } from '../app/session.ts'
import { Button } from '../components/basics/button.tsx'
import { PageTitle } from '../components/basics/page-title.tsx'

export function SignInPage() {
  useArrival()
  const used = new URLSearchParams(location.search).has('used')
  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center p-6">
      <PageTitle text="Sign in" />
      <h1 className="mb-1 text-2xl font-bold">Sign in to Vedette</h1>
      <p className="mb-5 text-ink-soft">
        The server prints a one-time sign-in link each time it starts. Open that link, or use the password you set.
      </p>
      {used && (
        <p role="alert" className="mb-4 rounded-lg bg-fail-wash p-3 text-fail">
          That sign-in link was used already or is older than 30 minutes. Restart the server for a new one, or use your
          password.
        </p>
      )}
      <PasswordForm />
    </main>
  )
}

/** Whoever is already signed in, perhaps by a link in another tab, is sent on to the page they wanted. */
function useArrival() {
  const session = useSession()
  const router = useRouter()
  const isSignedIn = session.data !== undefined && session.data !== null
  useEffect(() => {
    if (isSignedIn) router.history.replace(safeTarget())
  }, [isSignedIn, router])
}

function PasswordForm() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const client = useQueryClient()
  const signIn = useMutation({
    mutationFn: () => call('POST', '/session', { email, password }),
    onSuccess: () => client.invalidateQueries(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label="E-mail" type="email" value={email} onChange={setEmail} autoComplete="username" />
      <Field label="Password" type="password" value={password} onChange={setPassword} autoComplete="current-password" />
      {signIn.isError && (
        <p role="alert" className="text-fail">
          {signIn.error.message}
        </p>
      )}
      <Button type="submit" look="primary" disabled={signIn.isPending}>
        {signIn.isPending ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  )
}

/** Where the person wanted to go; only paths of this app. */
function safeTarget(): string {
  const to = new URLSearchParams(location.search).get('to') ?? '/'
  return to.startsWith('/') && !to.startsWith('//') ? to : '/'
}

interface FieldProps {
  label: string
  type: string
  value: string
  onChange: (value: string) => void
  autoComplete: string
}

function Field({ label, value, onChange, ...rest }: FieldProps) {
  return (
    <label className="flex flex-col gap-1 font-medium">
      {label}
      <input
        {...rest}
        required
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="min-h-11 rounded-lg border border-line-strong bg-surface px-3 font-normal"
      />
    </label>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { WaysToSignIn } from '@vedette/wire'
import { useEffect } from 'react'
import { call } from '../api/client.ts'
import { useSession } from '../app/session.ts'
import { SignInForm } from '../components/sign-in/sign-in-form.tsx'
import { buttonLook } from '../ui/button.tsx'

export function SignInPage() {
  useArrival()
  const query = new URLSearchParams(location.search)
  const used = query.has('used')
  const problem = problems[query.get('problem') ?? '']
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <div className="w-full max-w-sm rounded-xl border border-line bg-surface p-6 shadow-raised">
        <img src="/favicon.svg" alt="" className="size-10" />
        <h1 className="mt-4 text-xl font-semibold">Sign in to Vedette</h1>
        <p className="mt-1 mb-5 text-ink-soft">
          The server prints a one-time sign-in link each time it starts. Open that link, or use the password you set.
        </p>
        {used && (
          <p role="alert" className="mb-4 rounded-md bg-fail-wash p-3 text-fail">
            That sign-in link was used already or is older than 30 minutes. Restart the server for a new one, or use
            your password.
          </p>
        )}
        {problem !== undefined && (
          <p role="alert" className="mb-4 rounded-md bg-fail-wash p-3 text-fail">
            {problem}
          </p>
        )}
        <SignInForm />
        <WithProvider />
      </div>
    </main>
  )
}

/** Why the identity provider's word was not enough. */
const problems: Record<string, string | undefined> = {
  provider: 'The identity provider did not confirm who you are. Try again; the log of the server says more.',
  late: 'That took too long, or began in another browser. Try again.',
  email: 'The identity provider has not verified your e-mail address.',
  domain: 'Addresses of your domain may not sign in here.',
  unknown: 'You are not a member of any account here. Ask an admin to invite you.',
  connect:
    'Sign in with your password first, then connect the identity provider under Settings. Its address must be yours.',
}

/** The way over the identity provider, where one is set. */
function WithProvider() {
  const ways = useQuery({ queryKey: ['ways'], queryFn: () => call<WaysToSignIn>('GET', '/session/ways') })
  if (ways.data?.oidc !== true) return null
  return (
    <p className="mt-4 border-t border-line pt-4">
      <a href="/session/oidc" className={`${buttonLook()} w-full`}>
        Single sign-on
      </a>
    </p>
  )
}

/** Whoever is already signed in, perhaps by a link in another tab, is sent on to the page they wanted. */
function useArrival() {
  const session = useSession()
  const router = useRouter()
  const isSignedIn = session.data !== undefined && session.data !== null
  useEffect(() => {
    document.title = 'Sign in · Vedette'
    if (isSignedIn) router.history.replace(safeTarget())
  }, [isSignedIn, router])
}

/** Where the person wanted to go; only paths of this app. */
function safeTarget(): string {
  const to = new URLSearchParams(location.search).get('to') ?? '/'
  return to.startsWith('/') && !to.startsWith('//') ? to : '/'
}

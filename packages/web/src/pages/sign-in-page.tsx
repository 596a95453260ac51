import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSession } from '../app/session.ts'
import { SignInForm } from '../components/sign-in/sign-in-form.tsx'

export function SignInPage() {
  useArrival()
  const used = new URLSearchParams(location.search).has('used')
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
        <SignInForm />
      </div>
    </main>
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

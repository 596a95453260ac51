import type { Profile } from '@vedette/wire'
import { Button } from '../../ui/button.tsx'
import { useSignOut, useSwitchAccount } from '../session-changes.ts'

/** Stands in place of every page while the account is suspended. */
export function SuspendedNotice({ profile }: { profile: Profile }) {
  const signOut = useSignOut()
  const switchTo = useSwitchAccount()
  const others = profile.accounts.filter(({ id }) => id !== profile.accountId)
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <div className="w-full max-w-sm rounded-xl border border-line bg-surface p-6 shadow-raised">
        <h1 className="text-xl font-semibold">{profile.accountName} is suspended</h1>
        <p className="mt-1 mb-5 text-ink-soft">
          Its checks do not run and nothing alerts. Everything is kept. Ask whoever operates this installation to resume
          it.
        </p>
        <div className="flex flex-wrap gap-2">
          {others.map(({ id, name }) => (
            <Button key={id} onClick={() => switchTo(id)}>
              Go to {name}
            </Button>
          ))}
          <Button look="quiet" onClick={signOut}>
            Sign out
          </Button>
        </div>
      </div>
    </main>
  )
}

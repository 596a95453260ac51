import { Dialog } from '../../ui/dialog.tsx'
import { SignInForm } from '../../components/sign-in/sign-in-form.tsx'

/** Over the page whose session ended: signs in again and goes on where it was. */
export function SignInAgain({ email }: { email: string }) {
  return (
    <Dialog isOpen onClose={() => undefined} title="Your session has ended">
      <p className="mb-3 text-ink-soft">Sign in to go on. What you typed is still here.</p>
      <SignInForm email={email} />
    </Dialog>
  )
}

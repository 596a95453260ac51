import { useLocation } from '@tanstack/react-router'

/** Leads to the sign-in page and from there back to this operation. */
export function SignInLink() {
  const hash = useLocation({ select: (place) => place.hash })
  const back = hash === '' ? '/docs' : `/docs#${hash}`
  return (
    <a href={`/sign-in?to=${encodeURIComponent(back)}`} className="font-medium text-accent underline">
      Sign in
    </a>
  )
}

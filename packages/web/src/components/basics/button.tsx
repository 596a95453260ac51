import type { ButtonHTMLAttributes } from 'react'

type Look = 'primary' | 'plain' | 'danger'

const looks: Record<Look, string> = {
  primary: 'bg-accent text-accent-ink border-accent hover:opacity-90',
  plain: 'bg-surface text-ink border-line-strong hover:bg-sunken',
  danger: 'bg-surface text-fail border-fail hover:bg-fail-wash',
}

/** Classes of buttons, also for links that look like buttons. */
export const buttonLook = (look: Look = 'plain') =>
  `inline-flex min-h-11 items-center justify-center gap-2 rounded-lg border px-4 font-semibold disabled:opacity-60 ${looks[look]}`

export function Button({
  look = 'plain',
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { look?: Look }) {
  return <button type="button" {...rest} className={`${buttonLook(look)} ${className}`} />
}

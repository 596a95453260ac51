import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Spinner } from './spinner.tsx'

export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger'

const looks: Record<ButtonLook, string> = {
  primary: 'border-transparent bg-accent text-accent-ink shadow-raised hover:brightness-110',
  plain: 'border-line-strong/60 bg-surface text-ink shadow-raised hover:bg-sunken',
  quiet: 'border-transparent bg-transparent text-ink hover:bg-sunken',
  danger: 'border-fail/60 bg-surface text-fail hover:bg-fail-wash',
}

/** Classes of buttons, also for links that look like buttons. */
export const buttonLook = (look: ButtonLook = 'plain') =>
  `inline-flex h-control shrink-0 items-center justify-center gap-1.5 rounded-md border px-3 text-base font-medium whitespace-nowrap transition-[background-color,filter] [&_svg]:shrink-0 disabled:cursor-not-allowed disabled:opacity-50 ${looks[look]}`

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: ButtonLook
  /** An icon before the text. */
  icon?: ReactNode
  /** While true the button keeps its width, shows that it works, and does nothing. */
  isBusy?: boolean
}

export function Button({ look = 'plain', icon, isBusy = false, className = '', children, onClick, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      // A disabled button would lose the focus of whoever pressed it by a key.
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
      className={`${buttonLook(look)} aria-disabled:opacity-50 ${className}`}
    >
      {isBusy ? <Spinner /> : icon}
      {children}
    </button>
  )
}

import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { X } from 'lucide-react'

const look = 'inline-flex max-w-48 items-center gap-1 rounded-md px-1.5 text-sm leading-5'

/** A short word about a thing, such as a tag. */
export function Chip({ children }: { children: ReactNode }) {
  return (
    <span className={`${look} bg-sunken text-ink-soft`}>
      <span className="truncate">{children}</span>
    </span>
  )
}

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Whether it is chosen. */
  isOn: boolean
}

/** A choice that is on or off, such as a filter. */
export function ToggleChip({ isOn, children, className = '', ...rest }: Props) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      {...rest}
      className={`inline-flex h-control shrink-0 items-center gap-1.5 rounded-md border border-line bg-surface px-2.5 whitespace-nowrap hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-accent-wash ${className}`}
    >
      {children}
    </button>
  )
}

/** A chosen thing that can be taken away. */
export function RemovableChip({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <span className={`${look} h-control bg-accent-wash pl-2.5 text-ink`}>
      <span className="truncate">{label}</span>
      <button
        type="button"
        aria-label={`Remove ${label}`}
        onClick={onRemove}
        className="inline-flex h-control w-7 shrink-0 items-center justify-center rounded-md hover:bg-sunken max-md:w-11"
      >
        <X aria-hidden="true" className="size-3.5" />
      </button>
    </span>
  )
}

import { ChevronDown } from 'lucide-react'
import type { SelectHTMLAttributes } from 'react'
import { inputLook } from './field.tsx'

interface Props extends SelectHTMLAttributes<HTMLSelectElement> {
  /** `quiet`: without a frame, for choices about how something is shown. */
  look?: 'field' | 'quiet'
}

const quietLook =
  'h-control field-sizing-content rounded-md bg-transparent px-2 text-sm text-ink-soft hover:bg-sunken hover:text-ink'

/**
 * A choice of one among few. The list is the one of the device: it fits phones, reads its options out and finds them by
 * typing. Long lists use the combobox.
 */
export function Select({ look = 'field', className = '', children, ...rest }: Props) {
  return (
    <span className={`relative inline-flex min-w-0 ${className}`}>
      <select {...rest} className={`${look === 'field' ? inputLook : quietLook} min-w-0 appearance-none truncate pr-8`}>
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-2 size-4 -translate-y-1/2 text-ink-soft"
      />
    </span>
  )
}

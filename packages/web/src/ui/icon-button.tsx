import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { iconButtonLook } from './icon-button-look.ts'
import { Tip } from './tooltip.tsx'

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  /** What it does; read out, and shown while the pointer rests on it. */
  label: string
  icon: ReactNode
}

/** A button of an icon alone. */
export function IconButton({ label, icon, className = '', ...rest }: Props) {
  return (
    <Tip text={label}>
      <button type="button" aria-label={label} {...rest} className={`${iconButtonLook} ${className}`}>
        {icon}
      </button>
    </Tip>
  )
}

import type { ReactNode } from 'react'

interface Props {
  icon: ReactNode
  title: string
  /** What it is for, and how to begin. */
  children: ReactNode
  actions?: ReactNode
}

/** Stands where a list is empty: says what belongs there and how it gets there. */
export function EmptyState({ icon, title, children, actions }: Props) {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-center gap-2 px-6 py-12 text-center">
      <span aria-hidden="true" className="rounded-full bg-accent-wash p-3 text-accent [&_svg]:size-6">
        {icon}
      </span>
      <p className="mt-2 text-lg font-semibold">{title}</p>
      <div className="text-ink-soft">{children}</div>
      {actions !== undefined && <div className="mt-3 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  )
}

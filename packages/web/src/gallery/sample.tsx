import type { ReactNode } from 'react'

/** One component with what it looks like in each state. */
export function Sample({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="grid gap-2 border-t border-line pt-3 md:grid-cols-[10rem_1fr]">
      <h2 className="text-sm font-medium text-ink-soft">{name}</h2>
      <div className="flex min-w-0 flex-wrap items-center gap-3">{children}</div>
    </section>
  )
}

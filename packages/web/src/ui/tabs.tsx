import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

interface Tab {
  id: string
  label: string
  /** How many things are in it; left out when zero. */
  count?: number | undefined
  content: ReactNode
}

interface Props {
  label: string
  tabs: readonly Tab[]
  /** Which is open; the tabs remember it themselves when it is left out. */
  open?: string
  onOpen?: (id: string) => void
}

/** Parts of one thing of which one is shown at a time. What is typed in the others is kept. */
export function Tabs({ label, tabs, open, onOpen }: Props) {
  return (
    <Base.Root
      {...(open === undefined ? { defaultValue: tabs[0]?.id } : { value: open })}
      onValueChange={(id: string) => onOpen?.(id)}
    >
      <Base.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map(({ id, label: text, count }) => (
          <Base.Tab
            key={id}
            value={id}
            className="-mb-px flex h-control shrink-0 items-center gap-1.5 border-b-2 border-transparent px-2.5 text-ink-soft outline-offset-[-2px] hover:text-ink data-active:border-accent data-active:font-medium data-active:text-ink"
          >
            {text}
            {count !== undefined && count > 0 && (
              <span className="rounded-full bg-sunken px-1.5 text-xs text-ink-soft">{count}</span>
            )}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ id, content }) => (
        <Base.Panel key={id} value={id} keepMounted className="pt-3 outline-none">
          {content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}

import { Autocomplete } from '@base-ui/react/autocomplete'
import { Popover } from '@base-ui/react/popover'
import { useState, type ReactElement, type ReactNode, type RefObject } from 'react'
import { inputLook } from './field.tsx'

export interface PickerItem {
  id: string
  label: string
  /** What it is, in a line under its label. */
  detail: ReactNode
  /** What finds it besides its label. */
  words?: string
}

interface Props<Item extends PickerItem> {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>
  label: string
  placeholder: string
  items: readonly Item[]
  onPick: (item: Item) => void
  /** What gets the focus when it closes; the button unless stated. */
  focusAfter?: RefObject<HTMLElement | null>
}

/** One thing out of many, found by typing, from a button. */
export function Picker<Item extends PickerItem>({ trigger, focusAfter, ...list }: Props<Item>) {
  const [isOpen, setOpen] = useState(false)
  const pick = (item: Item) => {
    setOpen(false)
    list.onPick(item)
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger render={trigger} />
      <Popover.Portal>
        <Popover.Positioner sideOffset={4} align="end" className="z-20">
          <Popover.Popup
            aria-label={list.label}
            {...(focusAfter && { finalFocus: focusAfter })}
            className="flex max-h-[min(24rem,var(--available-height))] w-[min(26rem,var(--available-width))] flex-col rounded-lg border border-line bg-surface text-ink shadow-floating outline-none"
          >
            <Found {...list} onPick={pick} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

function Found<Item extends PickerItem>({ label, placeholder, items, onPick }: Omit<Props<Item>, 'trigger'>) {
  const [typed, setTyped] = useState('')
  return (
    <Autocomplete.Root
      open
      inline
      mode="none"
      items={items.filter((item) => isFound(item, typed))}
      value={typed}
      onValueChange={setTyped}
      itemToStringValue={(item: Item) => item.label}
      autoHighlight="always"
    >
      <div className="border-b border-line p-2">
        <Autocomplete.Input aria-label={label} placeholder={placeholder} className={inputLook} />
      </div>
      <Autocomplete.Empty className="px-3.5 py-2.5 text-ink-soft empty:hidden">Nothing matches.</Autocomplete.Empty>
      <Autocomplete.List className="min-h-0 overflow-y-auto p-1 empty:hidden">
        {(item: Item) => (
          <Autocomplete.Item
            key={item.id}
            value={item}
            onClick={() => onPick(item)}
            className="flex min-h-11 flex-col justify-center rounded-md px-2.5 py-1 select-none data-highlighted:bg-sunken"
          >
            <span className="font-mono text-sm break-all">{item.label}</span>
            <span className="text-sm break-words text-ink-soft">{item.detail}</span>
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  )
}

/** Every word that was typed is somewhere in it. */
function isFound({ label, words = '' }: PickerItem, typed: string): boolean {
  const text = `${label} ${words}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

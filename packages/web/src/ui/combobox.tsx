import { Combobox as Base } from '@base-ui/react/combobox'
import { Check, ChevronDown } from 'lucide-react'
import { inputLook } from './field.tsx'
import { RemovableChip } from './chip.tsx'

interface Props {
  label: string
  placeholder: string
  /** Everything that can be chosen. */
  items: readonly string[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  /** What people call an item, where that is not the item itself. */
  labelOf?: (item: string) => string
  /** Told of what is typed, where `items` are those that match it. Left out: all items are there, and are searched. */
  onTyped?: (text: string) => void
  className?: string
}

/** Classes of the button that opens the choices. */
const comboboxLook =
  'inline-flex h-control shrink-0 items-center gap-1.5 rounded-md border border-line bg-surface px-2.5 hover:bg-sunken'

/** Several choices out of many, found by typing. */
export function Combobox({ label, placeholder, items, chosen, onChange, labelOf, onTyped, className = '' }: Props) {
  const shown = (item: string) => labelOf?.(item) ?? item
  return (
    <Base.Root
      multiple
      items={[...items]}
      value={[...chosen]}
      onValueChange={(next: string[]) => onChange(next)}
      {...(onTyped && { filter: null, onInputValueChange: (typed: string) => onTyped(typed) })}
    >
      <div className={`flex flex-wrap items-center gap-1 ${className}`}>
        {chosen.map((each) => (
          <RemovableChip
            key={each}
            label={shown(each)}
            onRemove={() => onChange(chosen.filter((one) => one !== each))}
          />
        ))}
        <Base.Trigger aria-label={label} className={comboboxLook}>
          {placeholder}
          <ChevronDown aria-hidden="true" className="size-4 text-ink-soft" />
        </Base.Trigger>
      </div>
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="start" className="z-20">
          {/* The field is within the popup: with one outside, all of the page but it would be hidden from screen readers. */}
          <Base.Popup
            aria-label={label}
            className="flex max-h-80 min-w-56 flex-col rounded-lg border border-line bg-surface p-1 text-ink shadow-floating"
          >
            <Base.Input
              aria-label={`Find ${label.toLowerCase()}`}
              placeholder={`Find ${label.toLowerCase()}`}
              className={`${inputLook} mb-1`}
            />
            <Base.Empty className="px-2.5 py-1.5 text-ink-soft empty:hidden">Nothing matches.</Base.Empty>
            <Base.List className="min-h-0 overflow-y-auto">
              {(item: string) => (
                <Base.Item
                  key={item}
                  value={item}
                  className="flex min-h-8 items-center gap-2 rounded-md px-2.5 outline-none select-none max-md:min-h-11 data-highlighted:bg-sunken"
                >
                  <span className="size-4 shrink-0">
                    <Base.ItemIndicator>
                      <Check aria-hidden="true" className="size-4" />
                    </Base.ItemIndicator>
                  </span>
                  <span className="max-w-64 truncate">{shown(item)}</span>
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

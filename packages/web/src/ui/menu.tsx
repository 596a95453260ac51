import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'

const popupLook =
  'min-w-44 rounded-lg border border-line bg-surface p-1 text-base text-ink shadow-floating outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0'
const itemLook =
  'flex min-h-8 w-full cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1 outline-none select-none max-md:min-h-11 data-disabled:cursor-not-allowed data-disabled:opacity-50 data-highlighted:bg-sunken [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-soft'

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>
  children: ReactNode
  align?: 'start' | 'end'
  side?: 'bottom' | 'top' | 'right'
}

/** A list of actions that opens from a button. */
export function Menu({ trigger, children, align = 'end', side = 'bottom' }: MenuProps) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} side={side} sideOffset={4} className="z-20">
          <Base.Popup className={popupLook}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface ItemProps {
  onSelect: () => void
  icon?: ReactNode
  children: ReactNode
  disabled?: boolean
  /** It destroys something. */
  isDanger?: boolean
}

export function MenuItem({ onSelect, icon, children, disabled = false, isDanger = false }: ItemProps) {
  return (
    <Base.Item
      onClick={onSelect}
      disabled={disabled}
      className={`${itemLook} ${isDanger ? 'text-fail [&_svg]:text-fail' : ''}`}
    >
      {icon}
      {children}
    </Base.Item>
  )
}

interface ChoiceProps<T extends string> {
  label: string
  value: T
  choices: readonly { value: T; label: string }[]
  onChoose: (value: T) => void
}

/** One choice of several within a menu; it stays open, so that the effect can be seen. */
export function MenuChoice<T extends string>({ label, value, choices, onChoose }: ChoiceProps<T>) {
  return (
    <Base.RadioGroup value={value} onValueChange={(next: T) => onChoose(next)}>
      <Base.Group>
        <Base.GroupLabel className="px-2.5 pt-1.5 pb-0.5 text-xs font-medium text-ink-soft">{label}</Base.GroupLabel>
        {choices.map((choice) => (
          <Base.RadioItem key={choice.value} value={choice.value} closeOnClick={false} className={itemLook}>
            <span className="size-4 shrink-0">
              <Base.RadioItemIndicator>
                <Check aria-hidden="true" />
              </Base.RadioItemIndicator>
            </span>
            {choice.label}
          </Base.RadioItem>
        ))}
      </Base.Group>
    </Base.RadioGroup>
  )
}

export function MenuDivider() {
  return <Base.Separator className="my-1 h-px bg-line" />
}

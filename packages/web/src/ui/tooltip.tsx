import { Tooltip } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'

/** A word of explanation beside a control while the pointer or the focus is on it. It holds nothing that is not elsewhere. */
export function Tip({ text, children }: { text: string; children: ReactElement<Record<string, unknown>> }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children} />
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} className="z-30">
          <Tooltip.Popup className="max-w-64 rounded-md bg-ink px-2 py-1 text-sm text-page shadow-floating transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0">
            {text}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}

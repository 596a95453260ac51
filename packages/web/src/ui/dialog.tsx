import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { iconButtonLook } from './icon-button-look.ts'

const backdropLook =
  'fixed inset-0 z-20 bg-black/40 transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0'

interface Props {
  isOpen: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** How wide it may grow. */
  size?: 'small' | 'large'
  /** What gets the focus when it opens; the first control unless stated. */
  focusFirst?: RefObject<HTMLElement | null>
}

/** A question or a short task over the page. Escape closes it, and the focus goes back to where it was. */
export function Dialog({ isOpen, onClose, title, children, size = 'small', focusFirst }: Props) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={backdropLook} />
        <Base.Popup
          {...(focusFirst && { initialFocus: focusFirst })}
          className={`fixed top-[12vh] left-1/2 z-20 flex max-h-[80vh] w-[calc(100vw-2rem)] -translate-x-1/2 flex-col overflow-hidden rounded-xl border border-line bg-surface text-ink shadow-floating transition-opacity outline-none data-ending-style:opacity-0 data-starting-style:opacity-0 ${size === 'small' ? 'max-w-md' : 'max-w-2xl'}`}
        >
          <DialogHead title={title} />
          <div className="overflow-y-auto px-5 pb-5">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** Details beside the page, from its right side; from below on phones. */
export function Sheet({ isOpen, onClose, title, children }: Omit<Props, 'size' | 'focusFirst'>) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={backdropLook} />
        <Base.Popup className="fixed inset-x-0 bottom-0 z-20 flex max-h-[85vh] flex-col rounded-t-xl border border-line bg-surface text-ink shadow-floating transition-[opacity,translate] outline-none data-ending-style:translate-y-4 data-ending-style:opacity-0 data-starting-style:translate-y-4 data-starting-style:opacity-0 md:inset-y-0 md:right-0 md:left-auto md:max-h-none md:w-[26rem] md:rounded-none md:border-y-0 md:border-r-0">
          <DialogHead title={title} />
          <div className="flex-1 overflow-y-auto px-5 pb-5">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

function DialogHead({ title }: { title: string }) {
  return (
    <div className="flex items-center justify-between gap-3 py-3 pr-3 pl-5">
      <Base.Title className="min-w-0 text-lg font-semibold break-words">{title}</Base.Title>
      <Base.Close aria-label="Close" className={iconButtonLook}>
        <X aria-hidden="true" className="size-4" />
      </Base.Close>
    </div>
  )
}

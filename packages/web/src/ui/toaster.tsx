import { Toast as Base } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { useEffect } from 'react'
import { buttonLook } from './button.tsx'
import { focusPage } from './hooks/kept-focus.ts'
import { iconButtonLook } from './icon-button-look.ts'
import { showToastsWith, type ToastMessage } from './toast.ts'

const manager = Base.createToastManager()

/** Faults that are shown. */
const faults = new Set<string>()

function add({ text, look, staysMs, action }: ToastMessage): void {
  // What went well since makes an earlier fault an old one.
  if (look === 'done') for (const fault of faults) manager.close(fault)
  const id = manager.add({
    title: text,
    type: look,
    timeout: staysMs,
    priority: look === 'fault' ? 'high' : 'low',
    onClose: () => void faults.delete(id),
    ...(action !== undefined && {
      actionProps: {
        children: action.label,
        onClick: () => {
          manager.close(id)
          focusPage()
          action.act()
        },
      },
    }),
  })
  if (look === 'fault') faults.add(id)
}

/** Where toasts appear. */
export function Toaster() {
  useEffect(() => showToastsWith(add), [])
  return (
    <Base.Provider toastManager={manager} limit={4}>
      <Base.Portal>
        <Base.Viewport
          aria-label="Messages"
          className="fixed inset-x-4 bottom-20 z-30 flex flex-col gap-2 outline-none md:inset-x-auto md:right-6 md:bottom-6 md:w-96"
        >
          <Toasts />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}

function Toasts() {
  const { toasts } = Base.useToastManager()
  return toasts.map((each) => (
    <Base.Root
      key={each.id}
      toast={each}
      className="rounded-lg border border-line bg-surface text-ink shadow-floating transition-opacity data-ending-style:opacity-0 data-limited:hidden data-starting-style:opacity-0"
    >
      <Base.Content className="flex items-center gap-2 py-2 pr-2 pl-4">
        <Base.Title className={`min-w-0 flex-1 break-words ${each.type === 'fault' ? 'font-medium text-fail' : ''}`} />
        <Base.Action className={`${buttonLook('quiet')} text-accent`} />
        <Base.Close aria-label="Dismiss" onClick={focusPage} className={iconButtonLook}>
          <X aria-hidden="true" className="size-4" />
        </Base.Close>
      </Base.Content>
    </Base.Root>
  ))
}

import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useLetterKeys } from './reader-choices.ts'

const keys = [
  ['/', 'Search checks'],
  ['c', 'Create a check'],
  ['j / k', 'Next or previous check in the list'],
  ['?', 'Show these keys'],
] as const

/** Keys that work wherever no text is typed. */
export function ShortcutKeys() {
  const navigate = useNavigate()
  const dialog = useRef<HTMLDialogElement>(null)
  const isOn = useLetterKeys() === 'on'

  useEffect(() => {
    if (!isOn) return
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
      const act = actions[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    const actions: Record<string, () => void> = {
      '/': () => void navigate({ to: '/' }).then(() => document.getElementById('search-checks')?.focus()),
      c: () => void navigate({ to: '/checks/new/$path', params: { path: 'api' } }),
      j: () => moveRow(1),
      k: () => moveRow(-1),
      '?': () => dialog.current?.showModal(),
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [navigate, isOn])

  return (
    <dialog
      ref={dialog}
      aria-labelledby="keys-title"
      className="m-auto rounded-xl border border-line bg-surface p-6 text-ink backdrop:bg-black/50"
    >
      <h2 id="keys-title" className="mb-3 text-lg font-semibold">
        Keys
      </h2>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {keys.map(([key, meaning]) => (
          <div key={key} className="contents">
            <dt className="font-mono font-semibold">{key}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-sm text-ink-soft">They can be switched off under Settings.</p>
      <form method="dialog" className="mt-4">
        <button className="min-h-11 rounded-lg border border-line-strong px-4">Close</button>
      </form>
    </dialog>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  )
}

function moveRow(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-check-row]')]
  const at = rows.findIndex((row) => row === document.activeElement)
  rows[Math.min(rows.length - 1, Math.max(0, at + by))]?.focus()
}

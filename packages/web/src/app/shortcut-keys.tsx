import { useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { focusSearch } from '../components/checks/search-focus.ts'
import { PartOnItsWay } from '../components/system/part-on-its-way.tsx'
import { lazyPart } from './lazy-part.ts'
import { useLetterKeys } from './reader-choices.ts'

const KeysDialog = lazyPart('asked', async () => (await import('./frame/keys-dialog.tsx')).KeysDialog)

/** Keys that work wherever no text is typed. Those of the list of checks belong to the list. */
export function ShortcutKeys() {
  const navigate = useNavigate()
  const [isShown, setShown] = useState(false)
  const isOn = useLetterKeys() === 'on'

  useEffect(() => {
    if (!isOn) return
    const actions: Record<string, () => void> = {
      '/': () => {
        if (!focusSearch()) void navigate({ to: '/' })
      },
      c: () => void navigate({ to: '/checks/new/$path', params: { path: 'api' } }),
      '?': () => setShown(true),
    }
    const onKey = (event: KeyboardEvent) => {
      const act = isForPage(event) ? actions[event.key] : undefined
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [navigate, isOn])

  return isShown ? (
    <Suspense fallback={<PartOnItsWay />}>
      <KeysDialog onClose={() => setShown(false)} />
    </Suspense>
  ) : null
}

/** Whether a key is meant for the page: nobody types, no dialog is open, no other key is held. */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false
  if (document.querySelector('[role=dialog], [role=menu]') !== null) return false
  return !(
    event.target instanceof HTMLElement &&
    (event.target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(event.target.tagName))
  )
}

import { useEffect, useRef } from 'react'
import { useLetterKeys } from '../../app/reader-choices.ts'
import { isForPage } from '../../app/shortcut-keys.tsx'

interface Keys {
  select: (checkId: string, isRange: boolean) => void
  /** Brings a line into view. */
  show: (index: number) => void
}

/** `j` and `k` move through the rows, `x` chooses one, and with Shift all up to it. */
export function useListKeys(keys: Keys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  const isOn = useLetterKeys() === 'on'
  useEffect(() => {
    if (!isOn) return
    const onKey = (event: KeyboardEvent) => {
      if (!isForPage(event) && !isOnTick(event)) return
      const key = event.key.toLowerCase()
      if (key === 'j') move(1, latest.current.show)
      else if (key === 'k') move(-1, latest.current.show)
      else if (key === 'x') {
        const id = focusedRow()?.dataset['checkRow']
        if (id !== undefined) latest.current.select(id, event.shiftKey)
      } else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOn])
}

/** Nothing can be typed into a box that is ticked, so the keys work there too. */
const isOnTick = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  target instanceof HTMLInputElement && target.type === 'checkbox' && !ctrlKey && !metaKey && !altKey

const focusedRow = (): HTMLElement | null | undefined =>
  document.activeElement?.closest('[role=listitem]')?.querySelector<HTMLElement>('[data-check-row]')

function move(by: number, show: (index: number) => void): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-check-row]')]
  const at = rows.indexOf(focusedRow() ?? document.body)
  const next = rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]
  next?.focus({ preventScroll: true })
  const index = Number(next?.closest<HTMLElement>('[data-index]')?.dataset['index'])
  if (Number.isInteger(index)) show(index)
}

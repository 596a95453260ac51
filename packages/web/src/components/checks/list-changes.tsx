import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { forgetListChanges, useListChanges } from '../../live/list-changes.ts'

const settleMs = 500

/**
 * Keeps the order of the list while the pointer or the focus is on it: rows show what changes, and stay where they are. What
 * came, went or changed its state is counted, and one press shows the present order.
 */
export function ListChanges({ children, aside }: { children: ReactNode; aside: ReactNode }) {
  const client = useQueryClient()
  const [isPointedAt, setPointedAt] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const isHeld = isPointedAt || isFocused
  const whole = useRef<HTMLDivElement>(null)
  const beside = useRef<HTMLDivElement>(null)
  // Who has pressed something beside the list and gone away does not read its rows.
  const keepsOrder = (focused: Element | null) =>
    whole.current?.contains(focused) === true && beside.current?.contains(focused) !== true
  const changed = useListChanges()
  const refresh = useRef(() => undefined as void)
  refresh.current = () => {
    forgetListChanges()
    void client.invalidateQueries({ queryKey: ['overview'], predicate: ({ queryKey }) => queryKey[1] !== 'one' })
  }
  useEffect(() => {
    if (isHeld || changed.size === 0) return
    const timer = setTimeout(() => refresh.current(), settleMs)
    return () => clearTimeout(timer)
  }, [isHeld, changed])
  const showPresentOrder = () => {
    refresh.current()
    // The button goes away with the focus that it has, and React tells of no blur of what it removes.
    setFocused(false)
  }
  return (
    // The line above the list holds it too: the button must not go away under the pointer that is on its way to it.
    <div
      ref={whole}
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      onFocus={({ target }) => setFocused(keepsOrder(target))}
      onBlur={({ relatedTarget }) => setFocused(keepsOrder(relatedTarget))}
    >
      {/* The line keeps its height, so that its text moves no row. */}
      <div className="flex min-h-10 items-center justify-between gap-2">
        <p role="status" className="min-w-0 flex-1 text-sm">
          {isHeld && changed.size > 0 && (
            <button type="button" onClick={showPresentOrder} className="h-control font-medium text-accent underline">
              {changed.size} new: show the present order
            </button>
          )}
        </p>
        <div ref={beside}>{aside}</div>
      </div>
      <div className="overflow-clip rounded-lg border border-line bg-surface shadow-raised max-md:-mx-4 max-md:rounded-none max-md:border-x-0">
        {children}
      </div>
    </div>
  )
}

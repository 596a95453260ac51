import { useRef, useState } from 'react'
import type { OverviewRow } from '@vedette/wire'
import { CheckRow } from './check-row.tsx'
import { steadyOrder } from './steady-order.ts'

/** The rows. While the pointer or the focus is on the list its order stays, and pending changes are counted instead. */
export function CheckList({ items, total }: { items: readonly OverviewRow[]; total: number }) {
  const [isHeld, setHeld] = useState(false)
  const shown = useRef<string[]>([])
  const idOf = (item: OverviewRow) => item.checkId
  const steady = isHeld ? steadyOrder(shown.current, items, idOf) : { items: [...items], waiting: 0 }
  const release = () => setHeld(false)
  const hold = () => {
    shown.current = items.map(idOf)
    setHeld(true)
  }
  return (
    <>
      {/* The line keeps its height, so that its text moves no row. */}
      <p role="status" className="flex min-h-11 items-center text-sm text-ink-soft">
        {steady.waiting === 0 && `${total} ${total === 1 ? 'check' : 'checks'}, trouble first`}
        {steady.waiting > 0 && (
          <button type="button" onClick={release} className="min-h-11 font-semibold text-accent underline">
            {steady.waiting} new: show the present order
          </button>
        )}
      </p>
      <ul
        aria-label="Checks"
        onPointerEnter={() => !isHeld && hold()}
        onPointerLeave={release}
        onFocus={() => !isHeld && hold()}
        onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && release()}
        className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface"
      >
        {steady.items.map((item) => (
          <CheckRow key={item.checkId} item={item} />
        ))}
        {items.length === 0 && <li className="p-6 text-ink-soft">No check matches these filters.</li>}
      </ul>
    </>
  )
}

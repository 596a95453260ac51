import { useEffect, useState } from 'react'
import { useConnection } from '../../live/live-provider.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Spinner } from '../../ui/spinner.tsx'

const waiting = 'This was not loaded before the server went away. It opens by itself when the server answers.'
/** A part that comes sooner needs no word. */
const sayAfterMs = 1000

/** Stands where a page will be. */
export function PageOnItsWay() {
  return useConnection() === 'lost' ? (
    <p role="status" className="mx-auto mt-[10vh] flex max-w-lg items-center gap-3">
      <Spinner />
      {waiting}
    </p>
  ) : (
    <Skeleton label="Opening the page" lines={8} />
  )
}

/** Says that something which was opened over the page is awaited. */
export function PartOnItsWay() {
  const [isLate, setLate] = useState(false)
  const isCutOff = useConnection() === 'lost'
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), sayAfterMs)
    return () => clearTimeout(timer)
  }, [])
  if (!isLate) return null
  return (
    <p
      role="status"
      className="fixed inset-x-4 top-16 z-20 mx-auto flex max-w-lg items-center gap-3 rounded-lg border border-line bg-surface px-4 py-3 shadow-floating"
    >
      <Spinner />
      {isCutOff ? waiting : 'This is being loaded.'}
    </p>
  )
}

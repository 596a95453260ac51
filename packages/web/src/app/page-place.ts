import { useEffect, useSyncExternalStore } from 'react'

/** A step of the way to the page. */
export interface Crumb {
  label: string
  /** Address of the step; the page itself has none. */
  to?: string
}

interface PagePlace {
  /** Name of the page in the browser's tab and history. */
  title: string
  crumbs: readonly Crumb[]
}

let place: PagePlace = { title: 'Vedette', crumbs: [] }
const watchers = new Set<() => void>()

function setPlace(next: PagePlace): void {
  place = next
  for (const changed of watchers) changed()
}

const watch = (changed: () => void) => {
  watchers.add(changed)
  return () => void watchers.delete(changed)
}

/** What the open page said of itself. */
export const usePagePlace = (): PagePlace => useSyncExternalStore(watch, () => place)

/** Names the page in the tab and in the line at the top. `crumbs` end with the page itself. */
export function PagePlaceOf({ title, crumbs }: { title: string; crumbs?: readonly Crumb[] }) {
  const path = JSON.stringify(crumbs ?? [{ label: title }])
  useEffect(() => setPlace({ title, crumbs: JSON.parse(path) as Crumb[] }), [title, path])
  return null
}

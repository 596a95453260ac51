import { useSyncExternalStore } from 'react'

/** Checks that came, went, changed their state or are overdue since the list was last read. */
let changed: ReadonlySet<string> = new Set()
const watchers = new Set<() => void>()

function set(next: ReadonlySet<string>): void {
  changed = next
  for (const notify of watchers) notify()
}

/** The list as it was read is not in its present order any more. */
export function noteListChange(checkIds: Iterable<string>): void {
  const next = new Set([...changed, ...checkIds])
  if (next.size === changed.size) return
  next.delete(unnamed)
  set(next)
}

/** Stands for a check that no event told of, until one does. */
const unnamed = ''

/** The list as it was read is not what it was: which check made it so is not known. */
export function noteUnnamedListChange(): void {
  if (changed.size === 0) set(new Set([unnamed]))
}

/** The list is read anew. */
export function forgetListChanges(): void {
  if (changed.size > 0) set(new Set())
}

const watch = (notify: () => void) => {
  watchers.add(notify)
  return () => void watchers.delete(notify)
}

export const listChanges = (): ReadonlySet<string> => changed

export const useListChanges = (): ReadonlySet<string> => useSyncExternalStore(watch, listChanges)

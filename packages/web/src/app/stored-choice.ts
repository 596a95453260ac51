import { useSyncExternalStore } from 'react'

/** A choice that this browser stores. Every component that uses it is updated at once. */
export interface StoredChoice<T extends string> {
  read(): T
  choose(value: T): void
  use(): T
}

/** The first of `values` is the default. */
export function storedChoice<T extends string>(key: string, values: readonly [T, ...T[]]): StoredChoice<T> {
  const watchers = new Set<() => void>()
  const read = () => values.find((value) => value === localStorage.getItem(key)) ?? values[0]
  const watch = (changed: () => void) => {
    watchers.add(changed)
    return () => void watchers.delete(changed)
  }
  return {
    read,
    choose(value) {
      if (value === values[0]) localStorage.removeItem(key)
      else localStorage.setItem(key, value)
      for (const changed of watchers) changed()
    },
    use: () => useSyncExternalStore(watch, read),
  }
}

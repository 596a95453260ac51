import { useState } from 'react'

const key = 'vedette-folded'

/** Paused checks are rarely of interest. */
const usual: readonly string[] = ['state:paused']

const read = (): string[] => {
  const kept = localStorage.getItem(key)
  return kept === null ? [...usual] : kept.split('\n')
}

/** Which sections of the list this browser keeps folded. Names carry the grouping: a tag may be named like a state. */
export function useFoldedSections(grouping: string): {
  folded: ReadonlySet<string>
  toggle: (section: string) => void
} {
  const [kept, keep] = useState(read)
  const prefix = `${grouping}:`
  return {
    folded: new Set(kept.filter((each) => each.startsWith(prefix)).map((each) => each.slice(prefix.length))),
    toggle(section) {
      const name = prefix + section
      const next = kept.includes(name) ? kept.filter((each) => each !== name) : [...kept, name]
      localStorage.setItem(key, next.join('\n'))
      keep(next)
    },
  }
}

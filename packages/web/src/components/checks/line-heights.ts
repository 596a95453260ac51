import { useSyncExternalStore } from 'react'
import { useDensity } from '../../app/reader-choices.ts'

const narrow = matchMedia('(width < 48rem), (pointer: coarse)')
const medium = matchMedia('(width < 64rem)')
const watch = (changed: () => void) => {
  for (const query of [narrow, medium]) query.addEventListener('change', changed)
  return () => {
    for (const query of [narrow, medium]) query.removeEventListener('change', changed)
  }
}

/** Heights of the lines of the list in pixels. Rows of narrow screens have two lines, and heads take a thumb there. */
export function useLineHeights(): { row: number; head: number } {
  const isComfortable = useDensity() === 'comfortable'
  const isTall = useSyncExternalStore(watch, () => narrow.matches || medium.matches)
  const isTouched = useSyncExternalStore(watch, () => narrow.matches)
  return { row: isTall ? 60 : isComfortable ? 52 : 34, head: isTouched ? 44 : 36 }
}

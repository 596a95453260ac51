/** Rows in the order shown before, with current content, and the number of pending changes of order or membership. */
export interface Steady<T> {
  items: T[]
  waiting: number
}

/** Keeps the order on the screen: new rows are held back, removed rows disappear, the others stay where they are. */
export function steadyOrder<T>(shown: readonly string[], items: readonly T[], idOf: (item: T) => string): Steady<T> {
  const current = new Map(items.map((item) => [idOf(item), item]))
  const kept = shown.flatMap((id) => {
    const item = current.get(id)
    return item === undefined ? [] : [item]
  })
  const keptIds = kept.map(idOf)
  const wanted = items.map(idOf)
  const came = wanted.filter((id) => !keptIds.includes(id)).length
  const inPlace = wanted.filter((id) => keptIds.includes(id))
  const moved = inPlace.filter((id, at) => keptIds[at] !== id).length
  return { items: kept, waiting: came > 0 ? came : Math.min(moved, 1) }
}

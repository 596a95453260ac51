export interface Bounds {
  from: number
  to: number
  /** How exactly the answer is wanted. */
  step: number
  /** Whether the search has to end with what it knows. */
  isOver?: () => boolean
}

/**
 * The greatest number that holds, up to a step: doubles from `from` up to `to` while numbers hold, then halves the range
 * between the last that held and the first that did not. 0 when none holds.
 */
export async function greatestThatHolds(
  holds: (number: number) => Promise<boolean>,
  { from, to, step, isOver = () => false }: Bounds,
): Promise<number> {
  let held = 0
  let broke: number | undefined
  for (let next = from; broke === undefined && held < to && !isOver(); next = Math.min(to, held * 2)) {
    if (await holds(next)) held = next
    else broke = next
  }
  while (broke !== undefined && broke - held > step && !isOver()) {
    const middle = Math.max(held + step, Math.round((held + broke) / 2 / step) * step)
    if (middle >= broke) break
    if (await holds(middle)) held = middle
    else broke = middle
  }
  return held
}

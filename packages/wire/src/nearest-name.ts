/** The name that was probably meant: the one that takes the fewest edits, half of its letters at most. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .map((name) => ({ name, edits: editsBetween(text, name) }))
    .filter(({ name, edits }) => edits <= Math.max(text.length, name.length) / 2)
    .toSorted((a, b) => a.edits - b.edits)
  return nearest?.name
}

/** How many letters must be added, removed, replaced or swapped with their neighbour to make one text of the other. */
function editsBetween(a: string, b: string): number {
  const edits = (i: number, j: number): number => table[i]?.[j] ?? Infinity
  const table = Array.from({ length: a.length + 1 }, (_, i) => [i])
  for (let j = 1; j <= b.length; j++) table[0]?.push(j)
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const replaced = edits(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? edits(i - 2, j - 2) + 1 : Infinity
      table[i]?.push(Math.min(edits(i - 1, j) + 1, edits(i, j - 1) + 1, replaced, swapped))
    }
  }
  return edits(a.length, b.length)
}

/** A queue in which keys take turns, however many items one of them has. */
export interface FairQueue<Item> {
  push(key: string, item: Item): void
  /** The first item of the key whose turn it is. */
  shift(): Item | undefined
  /** All items, which leave the queue. */
  drain(): Item[]
  readonly size: number
  sizeOf(key: string): number
}

export function createFairQueue<Item>(): FairQueue<Item> {
  // In the order of turns: a key that was served goes behind the others.
  const lines = new Map<string, Item[]>()
  let size = 0
  return {
    push(key, item) {
      size += 1
      const line = lines.get(key)
      if (line === undefined) lines.set(key, [item])
      else line.push(item)
    },
    shift() {
      const [next] = lines
      if (next === undefined) return undefined
      const [key, line] = next
      const item = line.shift()
      size -= 1
      lines.delete(key)
      if (line.length > 0) lines.set(key, line)
      return item
    },
    drain() {
      const items = [...lines.values()].flat()
      lines.clear()
      size = 0
      return items
    },
    get size() {
      return size
    },
    sizeOf: (key) => lines.get(key)?.length ?? 0,
  }
}

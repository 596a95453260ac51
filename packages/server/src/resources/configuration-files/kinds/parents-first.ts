import { circleThrough } from '../../checks/for-verbs.ts'

interface Named<One> {
  nameOf: (one: One) => string
  /** Names of what it depends on. */
  parentsOf: (one: One) => readonly string[]
}

interface Ordered<One> {
  /** Each level depends only on those before it, and on what is not in the list. */
  levels: One[][]
  /** Those that depend on themselves, over the names on the way. */
  circles: Map<One, string[]>
}

/** Orders things so that each comes after those that it depends on. What depends on a circle comes last. */
export function parentsFirst<One>(all: readonly One[], { nameOf, parentsOf }: Named<One>): Ordered<One> {
  const levels: One[][] = []
  const waiting = new Map(all.map((one) => [nameOf(one), one]))
  for (;;) {
    const level = [...waiting.values()].filter((one) => !parentsOf(one).some((name) => waiting.has(name)))
    if (level.length === 0) break
    levels.push(level)
    for (const one of level) waiting.delete(nameOf(one))
  }
  const circles = new Map<One, string[]>()
  const parentsOfName = (name: string) => {
    const one = waiting.get(name)
    return one === undefined ? [] : parentsOf(one)
  }
  for (const [name, one] of waiting) {
    const circle = circleThrough(name, parentsOfName)
    if (circle) circles.set(one, circle)
  }
  const others = [...waiting.values()].filter((one) => !circles.has(one))
  return { levels: others.length > 0 ? [...levels, others] : levels, circles }
}

import { fileOf, violation, type Import, type ReadFile, type Violation } from './read-file.ts'
import { pureEntries } from './rules.ts'

type Files = ReadonlyMap<string, ReadFile>

/** No file imports itself through others, not even for types. One violation for each group of files. */
export function noCycles(files: Files): Violation[] {
  return filesNearCycles(files)
    .map((path) => cycleThrough(files, path))
    .filter((cycle) => cycle !== undefined)
    .filter((cycle, index, all) => all.findIndex((other) => sameFiles(other, cycle)) === index)
    .map((cycle) => {
      const file = files.get(cycle[0] as string) as ReadFile
      const line = file.imports.find((each) => fileOf(each) === cycle[1])?.line ?? 1
      const message = `An import cycle: ${cycle.join(' → ')}. Move what they share into a file of its own.`
      return violation(file, line, 'cycle', message)
    })
}

/** The files that remain after repeatedly removing those that import none of the remaining ones. */
function filesNearCycles(files: Files): string[] {
  const left = new Set(files.keys())
  const isFree = (path: string) => !files.get(path)?.imports.some((each) => left.has(neighbourOf(each) ?? ''))
  for (let free = [...left].filter(isFree); free.length > 0; free = [...left].filter(isFree)) {
    for (const path of free) left.delete(path)
  }
  return [...left]
}

/** A worker's entry is loaded in another thread, so it closes no cycle. */
const neighbourOf = (each: Import): string | undefined => (each.use.kind === 'thread' ? undefined : fileOf(each))

const sameFiles = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && new Set([...one, ...other]).size === new Set(one).size

/** The shortest path of imports from a file back to itself. */
function cycleThrough(files: Files, start: string): string[] | undefined {
  const isNear = (each: Import) => neighbourOf(each) !== undefined
  const way = wayTo(files, start, isNear, (each) => neighbourOf(each) === start)
  return way && [...way.path, start]
}

/** Entries that browsers and the server load: nothing they import uses Node. */
export function purity(files: Files): Violation[] {
  return pureEntries.flatMap((entry) => {
    const way = wayTo(
      files,
      entry,
      ({ use }) => use.kind === 'value',
      ({ use, target }) => use.kind === 'value' && target.kind === 'node',
    )
    if (!way) return []
    const file = files.get(way.path.at(-1) as string) as ReadFile
    const message = `${entry} must stay pure, and reaches ${way.found.specifier} by ${way.path.join(' → ')}.`
    return [violation(file, way.found.line, 'purity', message)]
  })
}

/** Breadth first, so the path is a shortest one. */
function wayTo(files: Files, start: string, follow: (each: Import) => boolean, isGoal: (each: Import) => boolean) {
  const cameFrom = new Map<string, string | undefined>([[start, undefined]])
  for (const path of cameFrom.keys()) {
    for (const each of files.get(path)?.imports ?? []) {
      if (!follow(each)) continue
      if (isGoal(each)) return { path: wayBack(cameFrom, path), found: each }
      const next = fileOf(each)
      if (next !== undefined && !cameFrom.has(next)) cameFrom.set(next, path)
    }
  }
  return undefined
}

function wayBack(cameFrom: ReadonlyMap<string, string | undefined>, end: string): string[] {
  const path: string[] = []
  for (let at: string | undefined = end; at !== undefined; at = cameFrom.get(at)) path.unshift(at)
  return path
}

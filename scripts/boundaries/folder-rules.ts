import type { UsedExceptions } from './exceptions.ts'
import { fileOf, violation, type ReadFile, type Violation } from './read-file.ts'
import { closedFolders, folderExceptions, folderTables, type ClosedFolder } from './rules.ts'

/** Which folders of a package may import which. Tests may import from all of them. */
export function folderDirections(file: ReadFile, used: UsedExceptions): Violation[] {
  if (file.role !== 'production') return []
  return Object.entries(folderTables).flatMap(([root, table]) => {
    const from = areaOf(root, file.path)
    if (from === undefined) return []
    const allowed = table[from]
    if (!allowed) return [violation(file, 1, 'folder', `${root}${from} is not in its table: add it in rules.ts.`)]
    return file.imports.flatMap((each) => {
      const path = fileOf(each)
      const to = path === undefined ? undefined : areaOf(root, path)
      if (path === undefined || to === undefined || to === from || allowed.includes(to)) return []
      const excepted = folderExceptions.find((one) => one.path === file.path && one.imports === path)
      if (excepted && used.note(excepted)) return []
      return [violation(file, each.line, 'folder', refusal(from, to, allowed))]
    })
  })
}

const refusal = (from: string, to: string, allowed: readonly string[]): string =>
  `${from} may not import ${to}; it may import ${allowed.join(', ') || 'nothing here'}. ` +
  `Move what both need below both, or hand it in as a parameter.`

/** The folder, or the file without its ending, directly below a root. */
function areaOf(root: string, path: string): string | undefined {
  if (!path.startsWith(root)) return undefined
  return path
    .slice(root.length)
    .split('/')[0]
    ?.replace(/\.tsx?$/, '')
}

/** Folders that other code may import through certain files, or not at all. */
export function closedDoors(file: ReadFile): Violation[] {
  if (file.role === 'tool' || file.path.includes('/test-support/')) return []
  return file.imports.flatMap((each) => {
    const path = fileOf(each)
    if (path === undefined) return []
    const broken = closedFolders.find((closed) => isBarred(closed, file.path, path))
    return broken
      ? [violation(file, each.line, 'door', `${each.specifier} is closed to this file. ${broken.instead}`)]
      : []
  })
}

function isBarred(closed: ClosedFolder, from: string, to: string): boolean {
  const target = childOf(closed, to)
  const own = childOf(closed, from)
  if (!target || target.name === own?.name) return false
  if (own && !closed.siblings) return true
  return closed.doors !== undefined && !closed.doors.includes(target.file)
}

/** The closed folder that a path is in, and the file as seen from there. */
function childOf({ parent, open }: ClosedFolder, path: string): { name: string; file: string } | undefined {
  if (!path.startsWith(parent)) return undefined
  const [name = '', ...rest] = path.slice(parent.length).split('/')
  return rest.length === 0 || open.includes(name) ? undefined : { name, file: rest.join('/') }
}

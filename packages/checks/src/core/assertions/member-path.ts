/** A compiled JSONPath. */
export interface JsonPath {
  values(document: unknown): unknown[]
}

/** Names and indexes of a JSONPath without wildcards, slices or filters: `$.a.b[0]`. */
export type MemberPath = readonly (string | number)[]

const step = /\.([A-Za-z_][A-Za-z0-9_]*)|\[(0|[1-9]\d{0,8})\]|\['([^'\\]*)'\]|\["([^"\\]*)"\]/y

/** Parses a JSONPath that consists of names and indexes; undefined for any other text, valid or not. */
export function parseMemberPath(path: string): MemberPath | undefined {
  if (!path.startsWith('$')) return undefined
  const members: (string | number)[] = []
  for (let at = 1; at < path.length; at = step.lastIndex) {
    step.lastIndex = at
    const found = step.exec(path)
    if (found === null) return undefined
    const [, name, index, single, double] = found
    members.push(index === undefined ? (name ?? single ?? double ?? '') : Number(index))
  }
  return members
}

/** The value at the path; undefined when there is none. */
function readMembers(document: unknown, path: MemberPath): unknown {
  let value = document
  for (const member of path) {
    if (typeof value !== 'object' || value === null) return undefined
    if (Array.isArray(value) !== (typeof member === 'number') || !Object.hasOwn(value, member)) return undefined
    value = (value as Record<string | number, unknown>)[member]
  }
  return value
}

/** A compiled path of names and indexes. */
export const fromMembers = (path: MemberPath): JsonPath => ({
  values(document) {
    const value = readMembers(document, path)
    return value === undefined ? [] : [value]
  },
})

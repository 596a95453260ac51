import type { ConfigurationImport } from '@vedette/wire'
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml'

/** A file as its author wrote it. Names are unique. */
export interface SourceFile {
  name: string
  text: string
}

/** A line of a file; the first is 1. */
export interface Place {
  file: string
  line: number
}

/** What is wrong with the files, and where, as far as that can be said. */
export interface Problem {
  text: string
  place: Place | undefined
}

/** All files as one document. */
export interface ReadFiles {
  document: Omit<ConfigurationImport, 'secrets'>
  /** Names of the references `{ $env: NAME }`, each once. */
  references: string[]
  problems: Problem[]
  /** Where a field stands. `key` is its dotted path in the document. */
  placeOf: (key: string) => Place | undefined
}

/** A file whose text was understood. */
interface Parsed {
  name: string
  source: Document
  lineAt: (offset: number) => number
  sections: Record<string, unknown>
}

/** Reads files of YAML or JSON, which is YAML. A list of one kind may be spread over many of them, as for `npm run apply`. */
export function readFiles(files: readonly SourceFile[]): ReadFiles {
  const problems: Problem[] = []
  const parsed = files.flatMap((file) => {
    const found = parseFile(file)
    problems.push(...found.problems)
    return found.parsed ?? []
  })
  // No plain object: a section may be called `__proto__`.
  const sections = new Map<string, unknown>()
  for (const file of parsed)
    for (const [section, content] of Object.entries(file.sections)) {
      const known = sections.get(section)
      const place = placeIn(file, [section])
      if (section === 'secrets')
        problems.push({ text: 'Secrets do not belong in files: write { $env: NAME } in place of each.', place })
      else if (!sections.has(section)) sections.set(section, content)
      else if (Array.isArray(known) && Array.isArray(content)) sections.set(section, [...known, ...content])
      else problems.push({ text: `"${section}" stands in another file already.`, place })
    }
  if (problems.length === 0 && sections.size === 0)
    problems.push({ text: 'The files are empty: there is nothing to import.', place: undefined })
  const document = Object.fromEntries(sections)
  return { document, references: [...new Set(referencesIn(document))], problems, placeOf: placesOf(parsed) }
}

function parseFile({ name, text }: SourceFile): { parsed?: Parsed; problems: Problem[] } {
  const lines = new LineCounter()
  const source = parseDocument(text, { schema: 'core', lineCounter: lines, prettyErrors: false })
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line)
  const problemAt = (offset: number, said: string) => ({ text: said, place: { file: name, line: lineAt(offset) } })
  // What follows the first error is often only its consequence.
  const [error] = source.errors
  if (error) return { problems: [problemAt(error.pos[0], `${error.message}.`)] }
  try {
    const value: unknown = source.toJS() ?? {}
    if (isObject(value)) return { parsed: { name, source, lineAt, sections: value }, problems: [] }
  } catch (fault) {
    return { problems: [problemAt(0, fault instanceof Error ? `${fault.message}.` : String(fault))] }
  }
  return { problems: [problemAt(0, 'A file must hold sections such as "checks:".')] }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const name: unknown = (value as Record<string, unknown>)['$env']
  return typeof name === 'string' ? [name] : Object.values(value).flatMap(referencesIn)
}

const placesOf =
  (files: readonly Parsed[]) =>
  (key: string): Place | undefined => {
    const [section = '', entry, ...rest] = key.split('.')
    let index = Number(entry)
    for (const file of files) {
      const content = file.sections[section]
      if (content === undefined) continue
      if (!Array.isArray(content) || Number.isNaN(index))
        return placeIn(file, entry === undefined ? [section] : [section, entry, ...rest])
      if (index < content.length) return placeIn(file, [section, String(index), ...rest])
      index -= content.length
    }
    return undefined
  }

/** Where the path leads, or else as far as it leads. */
function placeIn({ name, source, lineAt }: Parsed, path: readonly string[]): Place {
  let node: unknown = source.contents
  let offset = 0
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(source)
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === step)
      if (!pair) break
      offset = startOf(pair.key) ?? offset
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(step)]
      offset = startOf(node) ?? offset
    } else break
  }
  return { file: name, line: lineAt(offset) }
}

function startOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range?.[0] : undefined
}

/**
 * The problems that the server names: one for each line of its message, with the key at the same place. A problem of all
 * the document may have keys and no line of its own.
 */
export const refusedProblems = (message: string, keys: readonly string[], placeOf: ReadFiles['placeOf']): Problem[] =>
  message.split('\n').map((text, at) => ({ text, place: keys[at] === undefined ? undefined : placeOf(keys[at]) }))

import type { ConfigurationDocument } from '@vedette/wire'
import { ApiError, type FieldError } from '../../api-error.ts'
import { inTurns } from '../in-turns.ts'
import type { Entry, FileKind, Held } from './file-kind.ts'
import { misplacedSecrets, withoutReferences, withSecrets, type SecretReferences } from './secret-references.ts'

/** What is wrong with one entry of a document. */
export interface EntryProblem extends FieldError {
  kind: FileKind
  name: string
  /** Position in its section; undefined for what is not in the document. */
  index: number | undefined
  statusCode: number
}

/** An entry that was understood. */
export interface Wanted {
  kind: FileKind
  index: number
  name: string
  held: Held | undefined
  /** Canonical, with masks in place of secrets. */
  entry: Entry
  /** The same with the secrets that were sent. */
  whole: Entry
  references: SecretReferences
}

export const entriesOf = (document: ConfigurationDocument, { section }: FileKind): Entry[] | undefined => {
  const part = document[section]
  return part === undefined || Array.isArray(part) ? part : [part]
}

/** The problems that an error of a verb, or of a schema, tells of. */
export function problemsOf(error: unknown): { problems: readonly FieldError[]; statusCode: number } {
  if (!(error instanceof ApiError) || error.statusCode >= 500) throw error
  const { problems, message, statusCode } = error
  return { problems: problems.length > 0 ? problems : [{ path: '', message }], statusCode }
}

interface Known {
  held: readonly Held[]
  values: Readonly<Record<string, string>>
}

/** Reads the entries of one kind. */
export async function readEntries(
  kind: FileKind,
  entries: readonly Entry[],
  { held, values }: Known,
): Promise<{ wanted: Wanted[]; problems: EntryProblem[] }> {
  const byName = new Map(held.map((one) => [one.name, one]))
  const wanted: Wanted[] = []
  const problems: EntryProblem[] = []
  const names = new Set<string>()
  // Reading a thousand entries takes a second.
  for await (const [index, sent] of inTurns(entries)) {
    const { entry, references, problems: malformed } = withoutReferences(sent)
    const name = kind.nameOf(entry)
    const add = (found: readonly FieldError[], statusCode = 400) =>
      problems.push(...found.map((problem) => ({ ...problem, kind, name: name ?? '', index, statusCode })))
    add(malformed)
    if (name !== undefined && names.has(name))
      add([{ path: kind.nameField, message: 'is the name of another one in the files' }])
    if (name !== undefined) names.add(name)
    if (malformed.length > 0) continue
    const known = name === undefined ? undefined : byName.get(name)
    try {
      const one = readEntry(kind, { entry, references }, { held: known, values })
      add(one.problems)
      if (one.problems.length === 0) wanted.push({ kind, index, name: name ?? '', held: known, references, ...one })
    } catch (error) {
      const { problems: found, statusCode } = problemsOf(error)
      add(found, statusCode)
    }
  }
  return { wanted, problems }
}

function readEntry(
  kind: FileKind,
  { entry, references }: { entry: Entry; references: SecretReferences },
  known: { held: Held | undefined; values: Known['values'] },
): Pick<Wanted, 'entry' | 'whole'> & { problems: FieldError[] } {
  const canonical = kind.canonical(entry, known.held)
  const misplaced = misplacedSecrets(canonical, kind.secretPaths(canonical), references)
  if (misplaced.length > 0) return { entry: canonical, whole: canonical, problems: misplaced }
  const { entry: whole, problems } = withSecrets(canonical, references, known)
  return { entry: canonical, whole, problems }
}

import type { ConfigurationDocument, FileKindName } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { ApiError } from '../../api-error.ts'
import type { VerbContext } from '../../access/write.ts'

/** A resource as it stands in a file. */
export type Entry = Record<string, unknown>

/** A resource of the account. */
export interface Held {
  id: string | number
  name: string
  /** As `canonical` answers: references by name, masks in place of secrets. */
  entry: Entry
  /** In the clear, by dotted path in the entry. They only serve to see whether one changes. */
  secrets: ReadonlyMap<string, string>
}

/** The kinds that others name. */
export type ReferredKind = 'alertChannel' | 'checkGroup' | 'snippet' | 'check'

/** Ids by name. */
export type NamedIds = Record<Exclude<ReferredKind, 'check'>, Map<string, number>> & { check: Map<string, string> }

export interface ReadWith {
  client: Queryable
  account: string
  at: Date
  names: NamedIds
}

/** A resource that is to be made or changed. */
export interface Brought {
  /** What there is; undefined when it is to be made. */
  held: Held | undefined
  /** The whole as it is to be, secrets in the clear; a mask keeps the stored one. */
  entry: Entry
  /** Fields of the entry that differ. */
  fields: ReadonlySet<string>
}

export interface Changed extends Brought {
  held: Held
}

/** The errors of those that were refused, by their place in the list. */
export type RefusedOfMany = ReadonlyMap<number, ApiError>

/** Verbs that write many at once. Of those that are refused nothing is stored. */
export interface ManyAtOnce {
  bring: (ctx: VerbContext, all: readonly Brought[], names: NamedIds) => Promise<RefusedOfMany>
  remove: (ctx: VerbContext, all: readonly Held[]) => Promise<RefusedOfMany>
}

/** How one kind of resource stands in files, and the verbs that bring the account there. */
export interface FileKind {
  kind: FileKindName
  section: keyof ConfigurationDocument
  /** What people call it. */
  title: string
  /** The field of an entry that names it. */
  nameField: string
  nameOf: (entry: Entry) => string | undefined
  read: (of: ReadWith) => Promise<Held[]>
  /**
   * The entry in the one form that all that are equal have, with all defaults or with none. Throws a 400 with paths of the
   * entry.
   */
  canonical: (entry: Entry, held: Held | undefined) => Entry
  /** A canonical entry without its defaults, which takes long. Left out where it has none. */
  short?: (entry: Entry) => Entry
  /** Where the secrets of a canonical entry are that has some. */
  secretPaths: (entry: Entry) => string[]
  /** Throws a 400 for names that nothing will have. Left out where nothing is named. */
  requireNamed?: (entry: Entry, names: NamedIds) => unknown
  /** Answers the id by which others refer to it. Left out where there always is one. */
  create?: (ctx: VerbContext, entry: Entry, names: NamedIds) => Promise<string | number>
  change?: (ctx: VerbContext, changed: Changed, names: NamedIds) => Promise<unknown>
  /** In place of `create`, `change` and `remove`, for a kind of which there are many. */
  many?: ManyAtOnce
  /** There is always one, and it has no name. */
  isSingle?: boolean
  remove?: (ctx: VerbContext, held: Held) => Promise<unknown>
}

import { conflict } from '../../api-error.ts'
import type { FileKind, Held, NamedIds, ReadWith, ReferredKind } from './file-kind.ts'

/** Everything of the account that files hold, by kind, and the ids by which it refers to one another. */
export interface Configuration {
  held: ReadonlyMap<FileKind, readonly Held[]>
  names: NamedIds
}

export const isReferred = (kind: FileKind['kind']): kind is ReferredKind =>
  kind === 'alertChannel' || kind === 'checkGroup' || kind === 'snippet' || kind === 'check'

/** From now on the name is that of this id. */
export function nameId(names: NamedIds, kind: ReferredKind, name: string, id: string | number): void {
  if (kind === 'check') names.check.set(name, String(id))
  else names[kind].set(name, Number(id))
}

const byName = (a: Held, b: Held): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

/** Reads it. Throws a 409 when two of a kind have one name, because files could not tell them apart. */
export async function readConfiguration(
  kinds: readonly FileKind[],
  of: Omit<ReadWith, 'names'>,
): Promise<Configuration> {
  const names: NamedIds = { alertChannel: new Map(), checkGroup: new Map(), snippet: new Map(), check: new Map() }
  const held = new Map<FileKind, readonly Held[]>()
  for (const kind of kinds) {
    const all = (await kind.read({ ...of, names })).toSorted(byName)
    refuseTwins(kind, all)
    held.set(kind, all)
    if (isReferred(kind.kind)) for (const { name, id } of all) nameId(names, kind.kind, name, id)
  }
  return { held, names }
}

function refuseTwins({ title }: FileKind, sorted: readonly Held[]): void {
  const twin = sorted.find(({ name }, index) => index > 0 && sorted[index - 1]?.name === name)
  if (!twin) return
  const ids = sorted.filter(({ name }) => name === twin.name).map(({ id }) => id)
  throw conflict(
    `Files know each ${title} by its name, and ${ids.length} are named "${twin.name.slice(0, 100)}" (${ids.slice(0, 5).join(', ')}): rename all but one.`,
  )
}

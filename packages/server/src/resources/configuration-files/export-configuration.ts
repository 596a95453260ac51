import type { ConfigurationDocument } from '@vedette/wire'
import { inTurns } from '../in-turns.ts'
import type { ApiDeps } from '../api-deps.ts'
import type { Entry } from './file-kind.ts'
import { fileKindsOf } from './kinds/index.ts'
import { readConfiguration } from './read-configuration.ts'
import { withReferences } from './secret-references.ts'

/** The configuration of the account as a document, by name, with references in place of secrets. */
export async function exportConfiguration(deps: ApiDeps, account: string): Promise<ConfigurationDocument> {
  const kinds = fileKindsOf(deps)
  const at = new Date(deps.clock.now())
  const { held } = await deps.db.transaction((client) => readConfiguration(kinds, { client, account, at }))
  const document: Record<string, Entry | Entry[]> = {}
  const taken = new Set<string>()
  for (const kind of kinds) {
    const entries: Entry[] = []
    // Shortening a thousand checks takes seconds.
    for await (const [, one] of inTurns(held.get(kind) ?? [])) {
      entries.push(withReferences(kind, one, taken))
    }
    if (kind.isSingle) document[kind.section] = entries[0] ?? {}
    else if (entries.length > 0) document[kind.section] = entries
  }
  return document
}

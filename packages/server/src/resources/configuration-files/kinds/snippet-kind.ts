import { snippetWrite } from '@vedette/wire'
import type { ApiDeps } from '../../api-deps.ts'
import { listSnippets, snippetVerbs } from '../../snippets/for-verbs.ts'
import type { FileKind } from '../file-kind.ts'
import { parsed, textAt } from './parsed.ts'

const schema = snippetWrite.pick({ name: true, script: true })

export function snippetKind(deps: ApiDeps): FileKind {
  const verbs = snippetVerbs(deps)
  return {
    kind: 'snippet',
    section: 'snippets',
    title: 'snippet',
    nameField: 'name',
    nameOf: (entry) => textAt(entry, 'name')?.trim(),
    async read({ client, account }) {
      const { snippets } = await listSnippets(client, account, { limit: Number.MAX_SAFE_INTEGER, offset: 0 })
      return snippets.map(({ id, name, script }) => ({ id, name, entry: { name, script }, secrets: new Map() }))
    },
    canonical: (entry) => parsed(schema, entry),
    secretPaths: () => [],
    create: async (ctx, entry) => (await verbs.create(ctx, parsed(schema, entry))).id,
    change: (ctx, { held, entry }) => verbs.replace(ctx, Number(held.id), parsed(schema, entry)),
    remove: (ctx, { id }) => verbs.remove(ctx, Number(id)),
  }
}

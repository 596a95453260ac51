import type { SnippetWrite } from '@vedette/wire'
import type { Change, VerbContext } from '../../access/write.ts'
import { conflict, notFound } from '../../api-error.ts'
import type { ApiDeps } from '../api-deps.ts'
import {
  deleteSnippet,
  groupsWithSnippet,
  insertSnippet,
  isNameTaken,
  readSnippet,
  updateSnippet,
  type VersionedSnippet,
} from './store.ts'

const resource = 'snippets'

const snapshot = ({ name, script }: VersionedSnippet) => ({ name, script })

const nameTaken = (name: string) => conflict(`A snippet named "${name}" exists already; choose another name.`)

/** Creates, replaces and deletes snippets. One that was deleted comes back by creating it again. */
export function snippetVerbs({ write }: Pick<ApiDeps, 'write'>) {
  const locked = ({ client, existing }: Change, account: string, id: number) =>
    existing('snippet', readSnippet(client, account, id, true))
  return {
    create(ctx: VerbContext, { name, script }: SnippetWrite): Promise<VersionedSnippet> {
      return write(ctx, { action: 'create', resource }, async ({ client, at }) => {
        const snippet = await insertSnippet(client, ctx.accountId, { name, script, at })
        if (!snippet) throw nameTaken(name)
        return { id: String(snippet.id), answer: snippet, after: snapshot(snippet) }
      })
    },

    replace(ctx: VerbContext, id: number, { name, script }: SnippetWrite): Promise<VersionedSnippet> {
      return write(ctx, { action: 'update', resource }, async (change) => {
        const { client, at } = change
        const before = await locked(change, ctx.accountId, id)
        if (await isNameTaken(client, ctx.accountId, { id, name })) throw nameTaken(name)
        const after = await updateSnippet(client, ctx.accountId, { id, name, script, at })
        if (!after) throw notFound('snippet')
        return { id: String(id), answer: after, before: snapshot(before), after: snapshot(after) }
      })
    },

    /** Throws a 409 naming the checks that use it. */
    remove(ctx: VerbContext, id: number): Promise<undefined> {
      return write(ctx, { action: 'delete', resource }, async (change) => {
        const before = await locked(change, ctx.accountId, id)
        // Read under the lock: a check that began to use it meanwhile was not seen by the read that waited for it.
        const { usedBy, usedByCount } = (await readSnippet(change.client, ctx.accountId, id)) ?? before
        if (usedByCount > 0) throw conflict(inUse(usedBy, usedByCount))
        const [group] = await groupsWithSnippet(change.client, ctx.accountId, id)
        if (group !== undefined) throw conflict(`It is used by the group "${group}"; change that group first.`)
        await deleteSnippet(change.client, ctx.accountId, id)
        return { id: String(id), answer: undefined, before: snapshot(before) }
      })
    },
  }
}

const mostNamed = 5

function inUse(usedBy: VersionedSnippet['usedBy'], count: number): string {
  const named = usedBy.slice(0, mostNamed).map(({ name }) => `"${name}"`)
  const more = count > named.length ? ` and ${count - named.length} more` : ''
  return `It is used by ${named.join(', ')}${more}; change ${count === 1 ? 'that check' : 'those checks'} first.`
}

import { randomUUID } from 'node:crypto'
import type { SavedView, SavedViewCreate } from '@vedette/wire'
import type { VerbContext } from '../../access/write.ts'
import { conflict } from '../../api-error.ts'
import type { ApiDeps } from '../api-deps.ts'
import { countViews, deleteView, insertView } from './store.ts'

const resource = 'saved-views'

/** More could not be told apart on a page. */
const mostViews = 100

/** Saves and deletes views. One that was deleted comes back by saving it again. */
export const viewVerbs = ({ write }: Pick<ApiDeps, 'write'>) => ({
  create(ctx: VerbContext, { name, query }: SavedViewCreate): Promise<SavedView> {
    return write(ctx, { action: 'create', resource }, async ({ client, at }) => {
      if ((await countViews(client, ctx.accountId)) >= mostViews)
        throw conflict(`There are ${mostViews} saved views already; delete one that nobody needs.`)
      const view = await insertView(client, ctx.accountId, { id: randomUUID(), name, query, at })
      if (!view) throw conflict(`A view named "${name}" exists already; choose another name.`)
      return { id: view.id, answer: view, after: view }
    })
  },

  remove(ctx: VerbContext, id: string): Promise<undefined> {
    return write(ctx, { action: 'delete', resource }, async ({ client, existing }) => {
      const before = await existing('saved view', deleteView(client, ctx.accountId, id))
      return { id, answer: undefined, before }
    })
  },
})

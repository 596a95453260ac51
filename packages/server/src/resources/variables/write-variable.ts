import type { VariableCreate, VariableUpdate } from '@vedette/wire'
import type { Change, VerbContext } from '../../access/write.ts'
import { conflict, notFound } from '../../api-error.ts'
import { restorableSince } from '../../db/restorable.ts'
import type { ApiDeps } from '../api-deps.ts'
import { restoreVariable, variableStore, type VersionedVariable } from './store.ts'

const resource = 'variables'

/** Values are left out of the audit log, because it has more readers than the variables. */
const snapshot = ({ key, locked, secret }: VersionedVariable) => ({ key, value: '******', locked, secret })

/** Creates, changes and deletes variables. Runs and notifications that start afterwards use the new values. */
export function variableVerbs({ vault, write, hooks }: ApiDeps) {
  const store = variableStore(vault)
  const locked = ({ client, existing }: Change, account: string, key: string) =>
    existing('variable', store.read(client, account, key, true))

  return {
    create(ctx: VerbContext, { key, value, locked: isLocked = false, secret = false }: VariableCreate) {
      return write(ctx, { action: 'create', resource }, async ({ client, at }) => {
        const row = await store.insert(client, ctx.accountId, { key, value, locked: isLocked, secret, at })
        if (!row) throw conflict(`A variable named "${key}" exists already.`)
        return { id: key, answer: row, after: snapshot(row), announce: () => hooks.variablesChanged(ctx.accountId) }
      })
    },

    update(ctx: VerbContext, key: string, sent: VariableUpdate) {
      return write(ctx, { action: 'update', resource }, async (change) => {
        const { client, at } = change
        const before = await locked(change, ctx.accountId, key)
        const flags = { locked: sent.locked ?? before.locked, secret: before.secret || sent.secret === true }
        const row = await store.update(client, ctx.accountId, { key: before.key, value: sent.value, ...flags, at })
        if (!row) throw notFound('variable')
        return {
          id: before.key,
          answer: row,
          before: snapshot(before),
          after: snapshot(row),
          announce: () => hooks.variablesChanged(ctx.accountId),
        }
      })
    },

    remove(ctx: VerbContext, key: string) {
      return write(ctx, { action: 'delete', resource }, async (change) => {
        const before = await locked(change, ctx.accountId, key)
        await store.remove(change.client, ctx.accountId, { key: before.key, at: change.at })
        return {
          id: before.key,
          answer: undefined,
          before: snapshot(before),
          announce: () => hooks.variablesChanged(ctx.accountId),
        }
      })
    },

    /** Brings back a variable that was deleted less than a day ago. */
    restore(ctx: VerbContext, key: string) {
      return write(ctx, { action: 'restore', resource }, async ({ client, at }) => {
        const row = await restoreVariable(client, vault, {
          account: ctx.accountId,
          key,
          since: restorableSince(at),
          at,
        })
        if (!row) throw notFound('variable')
        return { id: key, answer: row, after: snapshot(row), announce: () => hooks.variablesChanged(ctx.accountId) }
      })
    },
  }
}

import { randomUUID } from 'node:crypto'
import { completeDefinition, mergeDefinition, type AnyCheckType, type Definition } from '@vedette/checks'
import type { VerbContext } from '../../access/write.ts'
import { conflict, notFound, timedOut } from '../../api-error.ts'
import type { ApiDeps } from '../api-deps.ts'
import { notRunnableReason } from './not-runnable.ts'
import { unsealDefinition } from './sealed-definition.ts'
import { readCheck } from './store.ts'
import { validateDefinition } from './validate-definition.ts'

interface DryRun {
  type: AnyCheckType
  /** The body, as it passed the create schema. */
  sent: Record<string, unknown>
  /** Stored check whose secrets stand behind masks in the body. */
  checkId: string | undefined
  location: string | undefined
}

/** Runs a check once without saving it, and answers its result. Nothing is stored and nobody is notified. */
export const dryRunCheck =
  (deps: ApiDeps) =>
  async ({ accountId }: VerbContext, dryRun: DryRun) => {
    const { type, location } = dryRun
    const definition = await definitionOf(deps, accountId, dryRun)
    await validateDefinition(deps.db.pool, accountId, type, definition)
    const reason = notRunnableReason(type, { ...definition, triggerIncident: null })
    if (reason !== null) throw conflict(`The check cannot run: ${reason}`)
    const result = await deps.hooks.dryRun({ accountId, type: type.type, definition, location })
    if (!result) throw timedOut('No agent answered in time; try again.')
    return result
  }

/** What the form shows of a stored check holds masks: the secrets behind them are those of that check. */
async function definitionOf(
  { db, vault }: ApiDeps,
  account: string,
  { type, sent, checkId }: DryRun,
): Promise<Definition> {
  if (checkId === undefined) return completeDefinition(type, sent, randomUUID())
  const stored = await readCheck(db.pool, account, checkId)
  if (!stored || stored.type !== type.type) throw notFound(`The ${type.title} check`)
  const before = unsealDefinition(vault, { account, checkId }, type, stored)
  return mergeDefinition(type, before, completeDefinition(type, sent, checkId), checkId)
}

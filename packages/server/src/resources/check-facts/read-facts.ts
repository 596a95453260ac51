import type { CheckFacts } from '@vedette/wire'
import { nameOfActor } from '../../access/credential-store.ts'
import { daysRemaining } from '../../alerting/index.ts'
import type { Queryable } from '../../db/database.ts'
import { readStatusFacts, readLastChange } from './store.ts'

/** Undefined when the account has no such check. */
export async function readFacts(
  client: Queryable,
  of: { account: string; checkId: string },
  nowMs: number,
): Promise<CheckFacts | undefined> {
  const found = await readStatusFacts(client, of)
  if (!found) return undefined
  const { ssl_not_after: notAfter, threshold, held_by: id, held_by_name: name } = found
  return {
    certificate: notAfter && {
      expiresAt: notAfter.toISOString(),
      daysRemaining: daysRemaining(notAfter.getTime(), nowMs),
      alertFromDays: threshold,
    },
    heldBackBy: id === null || name === null ? null : { id, name },
    lastChange: await lastChange(client, of),
  }
}

async function lastChange(
  client: Queryable,
  of: { account: string; checkId: string },
): Promise<CheckFacts['lastChange']> {
  const change = await readLastChange(client, of)
  if (!change) return null
  const [kind] = change.actor.split(':')
  return {
    at: change.at.toISOString(),
    by: await nameOfActor(client, change.actor),
    byKind: kind === 'user' || kind === 'key' ? kind : 'system',
  }
}

import { checkTypeOf, eventTokenOf, withValueAt, type AnyCheckType, type Definition } from '@vedette/checks'
import { conflict } from '../../api-error.ts'
import type { Queryable } from '../../db/database.ts'
import { writeEventToken } from './store.ts'
import type { CheckAnswer } from './to-check.ts'

interface Intake {
  account: string
  id: string
  definition: Definition
  /** The check begins to count anew: it was activated, or does something else now. */
  countedFrom: Date | null
}

/** Stores by which token senders of events name the check. Throws a 409 when it is taken; types without one have nothing to store. */
export async function storeEventToken(
  client: Queryable,
  type: AnyCheckType,
  { account, id, definition, countedFrom }: Intake,
): Promise<void> {
  const token = eventTokenOf(type, definition)
  if (type.mode.kind !== 'passive' || token === undefined) return
  if (await writeEventToken(client, { account, id, token, countedFrom })) return
  throw conflict(`"${type.mode.events.tokenPath}" is the token of another check: leave it out to be assigned one.`)
}

/** Puts the address that events are sent to where the type of the check shows it. */
export const withEventAddress =
  (baseUrl: () => string) =>
  (check: CheckAnswer): CheckAnswer => {
    const type = checkTypeOf(check.checkType)
    const token = type && eventTokenOf(type, check)
    if (type?.mode.kind !== 'passive' || token === undefined) return check
    return withValueAt(check, type.mode.events.addressPath, `${baseUrl()}/events/${token}`)
  }

import { checkTypeOf, eventTokenOf, withValueAt, type AnyCheckType, type Definition } from '@vedette/checks'
import { conflict } from '../../../api-error.ts'
import type { Queryable } from '../../../db/database.ts'
import { writeEventToken } from '../store.ts'
import type { CheckAnswer } from '../to-check.ts'

interface Intake {
  account: string
  id: string
  definition: Definition
  /** Start of counting anew: the check was activated, or its definition changed. */
  countedFrom: Date | null
}

/**
 * Stores the token that identifies the check in events. Throws a 409 when it is taken. Types without a token store
 * nothing.
 */
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

/** Adds the address for events to the field that the type of the check defines. */
export const withEventAddress =
  (baseUrl: () => string) =>
  (check: CheckAnswer): CheckAnswer => {
    const type = checkTypeOf(check.checkType)
    const token = type && eventTokenOf(type, check)
    if (type?.mode.kind !== 'passive' || token === undefined) return check
    return withValueAt(check, type.mode.events.addressPath, `${baseUrl()}/events/${token}`)
  }

import { checkTypeOf, eventTokenOf, withValueAt, type AnyCheckType, type Definition } from '@vedette/checks'
import { conflict, type ApiError } from '../../../api-error.ts'
import type { Queryable } from '../../../db/database.ts'
import { takenEventTokens } from '../content-store.ts'
import type { CheckAnswer } from '../to-check.ts'

/**
 * Why checks cannot have their tokens for events: others have them, or those before them in the list. Types without a
 * token have none.
 */
export async function refusedTokens(
  client: Queryable,
  checks: readonly { id: string; type: AnyCheckType; definition: Definition }[],
): Promise<Map<string, ApiError>> {
  const tokens = checks.flatMap(({ id, type, definition }) => {
    const token = storedToken(type, definition)
    return type.mode.kind === 'passive' && token !== null ? [{ id, token, path: type.mode.events.tokenPath }] : []
  })
  const taken = await takenEventTokens(client, tokens)
  const isFirst = (token: string, at: number) => tokens.findIndex((one) => one.token === token) === at
  return new Map(
    tokens
      .filter(({ id, token }, at) => taken.has(id) || !isFirst(token, at))
      .map(({ id, path }) => [
        id,
        conflict(`"${path}" is the token of another check: leave it out to be assigned one.`),
      ]),
  )
}

/** The token by which events are taken in for the check; null for types without one. */
export const storedToken = (type: AnyCheckType, definition: Definition): string | null =>
  eventTokenOf(type, definition) ?? null

/** Adds the address for events to the field that the type of the check defines. */
export const withEventAddress =
  (baseUrl: () => string) =>
  (check: CheckAnswer): CheckAnswer => {
    const type = checkTypeOf(check.checkType)
    const token = type && eventTokenOf(type, check)
    if (type?.mode.kind !== 'passive' || token === undefined) return check
    return withValueAt(check, type.mode.events.addressPath, `${baseUrl()}/events/${token}`)
  }

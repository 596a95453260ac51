import { secretMask } from '@vedette/checks'
import { invalidField } from '../../api-error.ts'

/** Everything before the last `@` of the authority is user and password. A user alone may be a token. */
const credentials = /^([a-z]+:\/\/)[^/]*@/i

/** The address of a proxy as answers show it: without user and password. */
export const shownProxy = (address: string): string => address.replace(credentials, `$1${secretMask}@`)

/**
 * The address to store, given what was sent and what is stored: undefined leaves it, and so does what an answer showed.
 * Throws a 400 for a mask that stands for nothing.
 */
export function proxyToStore(sent: string | null | undefined, stored: string | null): string | null {
  if (sent === undefined) return stored
  if (sent === null || !sent.includes(`${secretMask}@`)) return sent
  if (stored !== null && sent === shownProxy(stored)) return stored
  throw invalidField('proxyUrl', `has ${secretMask} in place of user and password; send both with a changed address`)
}

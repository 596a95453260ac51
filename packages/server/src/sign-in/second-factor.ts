import { randomBytes } from 'node:crypto'
import { ApiError, invalidField, type RequestPart } from '../api-error.ts'
import type { Queryable } from '../db/database.ts'
import { refuseWhenBlocked, type Gate, type SignInOptions } from './open-session.ts'
import { secondFactorStore } from './second-factor-store.ts'
import { base32, stepOf } from './totp.ts'

const codeCount = 10
/** 120 bits: too many to try, so that a plain hash keeps them. */
const codeBytes = 15

export const recoveryCodes = (): string[] => Array.from({ length: codeCount }, () => base32(randomBytes(codeBytes)))

/** As people read and copy them: in groups of four. */
export const shownCode = (code: string): string => code.replaceAll(/(.{4})(?=.)/g, '$1-')

const written = (code: string): string => code.replaceAll(/[\s-]/g, '').toUpperCase()

/**
 * Checks codes of authenticators and recovery codes. Each works once; wrong ones count against the person. They are refused with
 * a 401 while somebody signs in, and with a 400 to whom is signed in.
 */
export function secondFactor(options: Pick<SignInOptions, 'clock' | 'vault'>, gate: Gate, status: 400 | 401) {
  const store = secondFactorStore(options.vault)

  async function isGood(client: Queryable, userId: string, secret: Buffer, code: string): Promise<boolean> {
    const nowMs = options.clock.now()
    const step = stepOf(secret, code, nowMs)
    if (step !== undefined) return store.useStep(client, userId, step)
    return store.useRecoveryCode(client, userId, code, new Date(nowMs))
  }

  /** Throws unless the code is good, or the person needs none. A code that is missing does not count as wrong. */
  return async (client: Queryable, userId: string, sent: string | undefined): Promise<void> => {
    const factor = await store.read(client, userId)
    if (!factor?.since) return
    const name = `code ${userId}`
    refuseWhenBlocked(gate, [name])
    if (sent === undefined) throw codeProblem(status, 'Enter the code of your authenticator, or a recovery code.')
    if (await isGood(client, userId, factor.secret, written(sent))) return gate.succeeded(name)
    gate.failed(name)
    throw codeProblem(status, 'The code is wrong, too old, or was used already.')
  }
}

const payload: RequestPart = 'payload'
const codeProblem = (status: number, message: string): ApiError =>
  new ApiError(status, message, { validation: { source: payload, keys: ['code'] } })

/** A code that proves that an authenticator has the secret; its time step. */
export function provenStep(secret: Buffer, code: string, nowMs: number): number {
  const step = stepOf(secret, written(code), nowMs)
  if (step === undefined) throw invalidField('code', 'is not the code of the authenticator; wait for its next one')
  return step
}

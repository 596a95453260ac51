import { createHmac, timingSafeEqual } from 'node:crypto'
import { claimsFromV1, leaseClaims, type LeaseClaims } from '@vedette/wire'
import { LRUCache } from 'lru-cache'
import type { HeldRun } from '../../queue/run-queue.ts'

const version = 'v1'
/** A lease is renewed at most this long after its run should have ended. */
const renewalSlackMs = 60_000
/** For tokens of older servers. */
const defaultTimeoutMs = 10 * 60_000

/** Most of the tokens that were signed last whose claims are remembered, instead of verified and parsed anew. */
const mostKnown = 2000

/** Signs and reads lease tokens. They hold the identity of a result, so that it can be stored after any restart. */
export interface LeaseTokens {
  sign(claims: LeaseClaims): string
  /** Undefined when this installation did not sign it. */
  read(token: string): LeaseClaims | undefined
}

export function createLeaseTokens(key: Buffer): LeaseTokens {
  const known = new LRUCache<string, LeaseClaims>({ max: mostKnown })
  const mac = (body: string): Buffer => createHmac('sha256', key).update(`${version}.${body}`).digest()
  return {
    sign(claims) {
      const body = Buffer.from(JSON.stringify(claims)).toString('base64url')
      const token = `${version}.${body}.${mac(body).toString('base64url')}`
      known.set(token, claims)
      return token
    },
    read(token) {
      const signed = known.get(token)
      if (signed !== undefined) return signed
      const [sent, body, signature, ...rest] = token.split('.')
      if (sent !== version || body === undefined || signature === undefined || rest.length > 0) return undefined
      const given = Buffer.from(signature, 'base64url')
      const expected = mac(body)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      return leaseClaims.safeParse(claimsFromV1(JSON.parse(Buffer.from(body, 'base64url').toString()))).data
    },
  }
}

/** How the queue is asked to renew a lease. */
export const heldRun = ({ attemptId, leasedAt, timeoutMs = defaultTimeoutMs }: LeaseClaims): HeldRun => ({
  attemptId,
  leasedAt,
  limitMs: timeoutMs + renewalSlackMs,
})

/** The attempt a token names, without verification: only for telling a sender which result was refused. */
export function attemptNamedBy(token: string): string | null {
  const body = token.split('.')[1] ?? ''
  const match = /"attemptId":"([0-9a-f-]{36})"/.exec(Buffer.from(body, 'base64url').toString())
  return match?.[1] ?? null
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import { claimsFromV1, leaseClaims, type LeaseClaims } from '@vedette/wire'
import { LRUCache } from 'lru-cache'
import type { HeldRun } from '../../queue/run-queue.ts'
import { leaseOfSlot, planClaims, type Lease, type PlanClaims } from '../plans/plan-claims.ts'

const version = 'v1'
/** Of tokens for the slots of a planned check. */
const planVersion = 'p1'
/** A lease is renewed at most this long after its run should have ended. */
const renewalSlackMs = 60_000
/** For tokens of older servers. */
const defaultTimeoutMs = 10 * 60_000

/** Most of the tokens that were signed last whose claims are remembered, instead of verified and parsed anew. */
const mostKnown = 2000

/** Signs and reads lease tokens. They hold the identity of a result, so that it can be stored after any restart. */
export interface LeaseTokens {
  sign(claims: LeaseClaims): string
  /** The leases of all slots of a planned check: `leaseOfPlan` makes one of it. */
  signPlan(claims: PlanClaims): string
  /** Undefined when this installation did not sign it, and for a time at which the plan has no slot. */
  read(token: string): Lease | undefined
}

export function createLeaseTokens(key: Buffer): LeaseTokens {
  const known = new LRUCache<string, LeaseClaims>({ max: mostKnown })
  const mac = (text: string): Buffer => createHmac('sha256', key).update(text).digest()
  const signed = (as: string, claims: object): string => {
    const text = `${as}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
    return `${text}.${mac(text).toString('base64url')}`
  }
  /** The claims of a token, if it was signed here. */
  const verified = (as: string, body: string, signature: string): unknown => {
    const given = Buffer.from(signature, 'base64url')
    const expected = mac(`${as}.${body}`)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    return JSON.parse(Buffer.from(body, 'base64url').toString())
  }
  /** `slot`: what the agent added, its due time and the number of the attempt if it is not the first. */
  const ofPlan = (body: string, signature: string, [dueAt = '', attempt, ...rest]: string[]): Lease | undefined => {
    const isSlot = /^\d{1,15}$/.test(dueAt) && (attempt === undefined || /^[1-9]\d?$/.test(attempt))
    if (!isSlot || rest.length > 0) return undefined
    const claims = planClaims.safeParse(verified(planVersion, body, signature)).data
    return claims && leaseOfSlot(claims, Number(dueAt), Number(attempt ?? 0))
  }
  return {
    sign(claims) {
      const token = signed(version, claims)
      known.set(token, claims)
      return token
    },
    signPlan: (claims) => signed(planVersion, claims),
    read(token) {
      const remembered = known.get(token)
      if (remembered !== undefined) return remembered
      const [sent, body, signature, ...slot] = token.split('.')
      if (body === undefined || signature === undefined) return undefined
      if (sent === planVersion) return ofPlan(body, signature, slot)
      if (sent !== version || slot.length > 0) return undefined
      const claims = verified(version, body, signature)
      return claims === undefined ? undefined : leaseClaims.safeParse(claimsFromV1(claims)).data
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

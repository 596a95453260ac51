import { randomUUID } from 'node:crypto'
import type { CheckTypeName, Job } from '@vedette/wire'
import { checkTypeOf } from '../src/check-types.ts'
import { createSchema } from '../src/core/definition/check-schema.ts'
import type { AnyCheckType, Definition } from '../src/core/check-type.ts'
import { completeDefinition } from '../src/core/definition/complete-definition.ts'

/** A complete definition from what a user would send, for tests. */
export function givenDefinition(type: AnyCheckType, sent: Record<string, unknown>): Definition {
  const checkId = '11111111-2222-4333-8444-555555555555'
  return completeDefinition(type, createSchema(type).parse({ name: 'shop', ...sent }), checkId)
}

/** A job as a server would lease it, for tests. */
export function givenJob(name: CheckTypeName, sent: Record<string, unknown>, more: Partial<Job> = {}): Job {
  const type = checkTypeOf(name)
  if (type === undefined) throw new Error(`There is no check type ${name} yet`)
  return {
    attemptId: randomUUID(),
    lease: 'lease',
    leaseExpiresAt: 0,
    leasedAt: 0,
    checkId: randomUUID(),
    checkName: 'shop',
    type: name,
    workerClass: 'network',
    location: 'eu-west-1',
    emulated: true,
    dueAt: 1_767_225_600_000,
    attempt: 0,
    definition: givenDefinition(type, sent),
    variables: [],
    egress: { privateTargets: true, deniedTargets: [] },
    timeoutMs: 5000,
    ...more,
  }
}

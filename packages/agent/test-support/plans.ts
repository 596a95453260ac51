import { randomUUID } from 'node:crypto'
import { sealingContext, type JobContent, type PlannedCheck } from '@vedette/wire'
import { sealTo } from '@vedette/wire/sealing'

const location = 'pl_5c2f9a1e-7b34-4d60-8e1f-2a9b6c7d8e33'

export const jobContent: JobContent = {
  checkName: 'A check',
  location: 'office',
  emulated: false,
  definition: { request: { url: 'http://127.0.0.1/' } },
  variables: [],
  egress: { privateTargets: true, deniedTargets: [] },
  timeoutMs: 30_000,
}

/** A check every ten seconds, sealed to this key, as a server plans it. */
export function plannedCheckFor(publicKey: string, changes: Partial<PlannedCheck> = {}): PlannedCheck {
  const check = {
    checkId: randomUUID(),
    revision: 3,
    frequency: 0,
    frequencyOffset: 10,
    every: 1,
    turn: 0,
    from: 0,
    until: Number.MAX_SAFE_INTEGER,
    location,
    type: 'API',
    workerClass: 'network',
    token: 'p1.claims.signature',
    ...changes,
  } as const
  return { ...check, sealed: sealTo(publicKey)(JSON.stringify(jobContent), sealingContext(check)), ...changes }
}

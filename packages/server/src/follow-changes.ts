import type { Change, ChangeKind } from './changes/store.ts'
import type { LiveHub } from './live/hub.ts'

/** Parts that keep in memory what another server may change. */
export interface Followers {
  schedule: {
    /** Resolves when the schedule has the current state of the checks. */
    checksChanged(checkIds: readonly string[]): Promise<void>
    /** Resolves when the schedule has the stored runs of the checks. */
    runsRequested(checkIds: readonly string[]): Promise<void>
    /** Resolves when no run that was cancelled in these sessions is handed out any more. */
    sessionsCancelled(sessionIds: readonly string[]): Promise<void>
  }
  /** Wakes callers that wait for the end of sessions of these checks. */
  sessionEnds: { perhaps(checkIds: Iterable<string>): void }
  passive: { arrived(checkId: string): void }
  sender: { wake(): void }
  variables: { forget(accountId: string): void }
  certificates: { forget(accountId: string): void }
  keys: { forget(): void }
  authenticate: { forget(): void }
  hub: Pick<LiveHub, 'publish'>
}

/** Passes what other servers have written to the parts concerned, as `apiHooks` does with what this one has. */
export const followChanges =
  (parts: Followers) =>
  async (changes: readonly Change[]): Promise<void> => {
    const idsOf = (...kinds: ChangeKind[]) => [
      ...new Set(changes.filter(({ kind }) => kinds.includes(kind)).flatMap(({ ids }) => ids)),
    ]
    refreshCaches(parts, changes)
    const checks = idsOf('check.created', 'check.updated', 'check.deleted')
    if (checks.length > 0) await parts.schedule.checksChanged(checks)
    const requested = idsOf('run.requested')
    if (requested.length > 0) await parts.schedule.runsRequested(requested)
    const cancelled = idsOf('session.cancelled')
    if (cancelled.length > 0) await parts.schedule.sessionsCancelled(cancelled)
    parts.sessionEnds.perhaps(idsOf('session.ended'))
    for (const checkId of idsOf('event')) parts.passive.arrived(checkId)
    tellPages(parts, changes)
  }

function refreshCaches(
  { variables, certificates, keys, authenticate, sender }: Followers,
  changes: readonly Change[],
): void {
  for (const { kind, accountId } of changes) {
    if (kind === 'variables' && accountId !== null) variables.forget(accountId)
    if (kind === 'client-certificates' && accountId !== null) certificates.forget(accountId)
    if (kind === 'agent-keys') keys.forget()
    if (kind === 'credentials') authenticate.forget()
    if (kind === 'notification') sender.wake()
  }
}

const words = {
  'check.created': 'created',
  'check.updated': 'updated',
  'check.deleted': 'deleted',
  'check.acknowledged': 'updated',
} as const

function tellPages({ hub }: Followers, changes: readonly Change[]): void {
  for (const { kind, accountId, ids } of changes) {
    const change = kind in words ? words[kind as keyof typeof words] : undefined
    if (change === undefined || accountId === null) continue
    for (const checkId of ids) hub.publish(accountId, { kind: 'check', checkId, change })
  }
}

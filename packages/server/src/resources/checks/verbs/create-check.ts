import { randomUUID } from 'node:crypto'
import { completeDefinition, type AnyCheckType, type Definition } from '@vedette/checks'
import type { Audited, Change, VerbContext } from '../../../access/write.ts'
import { initialState } from '../../../alerting/state/alert-state.ts'
import { readLocationSlugs } from '../../../locations/location-param.ts'
import { readGroupsById, type StoredGroup } from '../../../settings/group-store.ts'
import { replaceParents } from '../parent-store.ts'
import type { Vault } from '../../../vault.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { answersById, type VersionedCheck } from '../check-answer.ts'
import { insertChecks } from '../content-store.ts'
import { contentOf, isToRun } from '../definition/content-of.ts'
import { impossible, lockWithParents, parentsSent } from '../definition/parents.ts'
import { readUnknownReferences } from '../definition/references.ts'
import { validateDefinition } from '../definition/validate-definition.ts'
import { withIds } from '../shown-locations.ts'
import { readChecks } from '../store.ts'
import { replaceSubscriptions, subscribeToChannels, type CheckSubscription } from '../subscription-store.ts'
import { eachAlone, theOne, type Outcomes } from './each-alone.ts'
import type { KnownOfAccount } from './plan-change.ts'

/** Channels that a new check is subscribed to besides those that were sent. */
export type MoreChannels = 'all' | 'autoSubscribe' | 'none'

export interface NewCheck {
  type: AnyCheckType
  /** The body, validated by the create schema. */
  sent: Record<string, unknown>
}

/** Stores a new check and returns it. Its first run starts at once. */
export const createCheck =
  ({ vault, write, hooks }: ApiDeps) =>
  (
    ctx: VerbContext,
    { autoAssignAlerts, ...sent }: NewCheck & { autoAssignAlerts: boolean },
  ): Promise<VersionedCheck> =>
    write(ctx, { action: 'create', resource: 'checks' }, async (change) => {
      const channels = autoAssignAlerts ? 'all' : 'autoSubscribe'
      const drafts = [draftOfNew(sent)]
      const { runNow, ...made } = theOne(await insertNew(vault, change, ctx.accountId, { drafts, channels }))
      return { ...made, announce: () => hooks.checkChanged(made.id, { change: 'created', runNow }) }
    })

/** A check that is to be made. */
export interface NewDraft extends NewCheck {
  id: string
  /** With its subscriptions. */
  whole: Definition
}

export function draftOfNew({ type, sent }: NewCheck): NewDraft {
  const id = randomUUID()
  return { id, type, sent, whole: completeDefinition(type, sent, id, randomUUID()) }
}

export interface MadeCheck extends Audited {
  answer: VersionedCheck
  runNow: boolean
}

/** Makes checks inside a write. One that would not be valid is refused, and nothing of it is stored. */
export async function insertNew(
  vault: Vault,
  { client, at }: Change,
  account: string,
  { drafts, channels }: { drafts: readonly NewDraft[]; channels: MoreChannels },
): Promise<Outcomes<MadeCheck>> {
  const parents = drafts.flatMap(({ whole }) => parentsSent(whole) ?? [])
  const settings = await lockWithParents(client, account, { checks: [], parents })
  const slugs = await readLocationSlugs(client, account)
  const wholes = drafts.map(({ whole }) => whole)
  const unknown = await readUnknownReferences(client, account, wholes)
  const groups = await readGroupsById(
    client,
    account,
    wholes.map(({ groupId }) => groupId),
  )
  const planned = await eachAlone(drafts, (draft) => {
    validateDefinition(unknown, { slugs, keptLocations: [] }, draft.type, draft.whole)
    return planOfNew(vault, { account, settings, slugs, groups }, draft)
  })
  const taken = await impossible(client, { account }, planned.done)
  const plans = planned.done.filter(({ id }) => !taken.has(id))
  const contents = plans.map(({ content }) => content)
  await insertChecks(client, { account, at, alertState: initialState() }, contents)
  const ids = plans.map(({ id }) => id)
  await replaceSubscriptions(
    client,
    account,
    plans.map(({ id, subscriptions: wanted }) => ({ checkId: id, wanted })),
  )
  await replaceParents(
    client,
    account,
    plans.map(({ id, parents }) => ({ checkId: id, parents })),
  )
  if (channels !== 'none') await subscribeToChannels(client, account, ids, channels)
  const answers = await answersById(client, (await readChecks(client, account, ids)).values(), { account, at })
  const done = plans.map(({ id, runNow }): MadeCheck => {
    const answer = answers.get(id)
    if (!answer) throw new Error(`The check ${id} was stored and cannot be read`)
    return { id, answer, after: answer.check, runNow }
  })
  return { done, refused: [...planned.refused, ...[...taken].map(([id, error]) => ({ id, error }))] }
}

interface PlanWith extends KnownOfAccount {
  groups: ReadonlyMap<unknown, StoredGroup>
}

function planOfNew(
  vault: Vault,
  { account, settings, slugs, groups }: PlanWith,
  { id, type, sent, whole: { alertChannelSubscriptions, parentCheckIds, ...shown } }: NewDraft,
) {
  const definition = withIds(shown, slugs, [])
  const group = groups.get(definition.groupId)
  const offsetSent = sent.frequencyOffset !== undefined
  const whole = { id, type, definition, group, offsetSent, mutedUntil: null }
  const content = contentOf(vault, { account, settings }, whole)
  const subscriptions = (alertChannelSubscriptions as CheckSubscription[] | undefined) ?? []
  const parents = parentsSent({ parentCheckIds }) ?? []
  return { id, type, definition, content, subscriptions, parents, runNow: isToRun(content) }
}

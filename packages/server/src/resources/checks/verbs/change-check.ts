import type { Audited, Change } from '../../../access/write.ts'
import { partFromChannels } from '../../../alerting/notifications/alert-store.ts'
import { endEpisodes } from '../../../alerting/episodes/episode-store.ts'
import type { Queryable } from '../../../db/database.ts'
import { readLocationSlugs } from '../../../locations/location-param.ts'
import { readGroupsById } from '../../../settings/group-store.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { answersById, type VersionedCheck } from '../check-answer.ts'
import { updateChecks } from '../content-store.ts'
import { impossible, lockWithParents, parentsSent } from '../definition/parents.ts'
import { readUnknownReferences } from '../definition/references.ts'
import { replaceParents } from '../parent-store.ts'
import { readChecks } from '../store.ts'
import { replaceSubscriptions, subscribeToChannels } from '../subscription-store.ts'
import type { CheckAnswer } from '../to-check.ts'
import { eachAlone, type Outcomes } from './each-alone.ts'
import {
  draftOf,
  planOf,
  referringOf,
  type CheckUpdate,
  type KnownOfAccount,
  type PlannedChange,
} from './plan-change.ts'

export interface ChangedCheck extends Audited, Pick<PlannedChange, 'runNow' | 'mutedUntil'> {
  before: CheckAnswer
  /** As it is now; undefined when it was as wanted already. */
  answer: VersionedCheck | undefined
}

/**
 * Reads it once for all checks of a write, and locks the settings of the account, these checks and the parents that they are
 * to have.
 */
export async function lockKnown(
  client: Queryable,
  account: string,
  updates: readonly (Pick<CheckUpdate, 'id'> & Partial<CheckUpdate>)[],
): Promise<KnownOfAccount> {
  const wantedParents = new Map<string, string[]>()
  for (const { id, sent } of updates) {
    const parents = sent === undefined || typeof sent === 'function' ? undefined : parentsSent(sent)
    if (parents) wantedParents.set(id, parents)
  }
  const settings = await lockWithParents(client, account, {
    checks: updates.map(({ id }) => id),
    parents: [...wantedParents.values()].flat(),
  })
  return { account, settings, slugs: await readLocationSlugs(client, account), wantedParents }
}

/**
 * Merges fields into stored checks, which are locked, inside a write. Each must be valid as a whole, or it is refused and
 * nothing of it is changed. `evenSame` writes those too that are as wanted already.
 */
export async function changeLocked(
  { vault }: Pick<ApiDeps, 'vault'>,
  change: Change,
  known: KnownOfAccount,
  { updates, evenSame }: { updates: readonly CheckUpdate[]; evenSame: boolean },
): Promise<Outcomes<ChangedCheck>> {
  const { client, at, existing } = change
  const { account } = known
  const ids = updates.map(({ id }) => id)
  const stored = await readChecks(client, account, ids)
  const answers = await answersById(client, stored.values(), { account, at })
  const drafts = await eachAlone(updates, async (update) => {
    const row = await existing('check', stored.get(update.id))
    const shown = answers.get(row.id)
    if (!shown) throw new Error(`The check ${row.id} was read and has no answer`)
    return draftOf(vault, { ...known, at }, { update, stored: row, answer: shown.check })
  })
  const unknown = await readUnknownReferences(client, account, drafts.done.map(referringOf))
  const groups = await readGroupsById(
    client,
    account,
    drafts.done.map(({ shown }) => shown.groupId),
  )
  const planned = await eachAlone(drafts.done, (draft) => planOf(draft, { ...known, vault, at, unknown, groups }))
  const taken = await impossible(client, known, planned.done)
  const possible = planned.done.filter(({ id }) => !taken.has(id))
  const plans = evenSame ? possible : possible.filter(({ isUnchanged }) => !isUnchanged)
  await store(client, { account, at }, plans)
  const written = await readChecks(
    client,
    account,
    plans.map(({ id }) => id),
  )
  const after = await answersById(client, written.values(), { account, at })
  return {
    done: possible.map((plan) => changedOf(plan, after.get(plan.id))),
    refused: [...drafts.refused, ...planned.refused, ...[...taken].map(([id, error]) => ({ id, error }))],
  }
}

const changedOf = ({ id, answer: before, ...plan }: PlannedChange, now: VersionedCheck | undefined): ChangedCheck => ({
  id,
  before,
  answer: now,
  after: now?.check,
  runNow: plan.runNow,
  mutedUntil: plan.mutedUntil,
})

async function store(
  client: Queryable,
  { account, at }: { account: string; at: Date },
  plans: readonly PlannedChange[],
): Promise<void> {
  const idsOf = (some: readonly PlannedChange[]) => some.map(({ id }) => id)
  const leaving = plans.filter(
    ({ answer, definition }) => answer.groupId !== null && answer.groupId !== definition.groupId,
  )
  if (leaving.length > 0) await partFromChannels(client, 'c.id = ANY($1::uuid[])', [idsOf(leaving)])
  await updateChecks(
    client,
    { account, at },
    plans.map(({ content }) => content),
  )
  const stopped = plans.filter(({ stops }) => stops)
  if (stopped.length > 0) await endEpisodes(client, idsOf(stopped), at)
  const wanted = plans.flatMap(({ id, subscriptions }) =>
    subscriptions === undefined ? [] : [{ checkId: id, wanted: subscriptions }],
  )
  await replaceSubscriptions(client, account, wanted)
  await replaceParents(
    client,
    account,
    plans.flatMap(({ id, parents }) => (parents === undefined ? [] : [{ checkId: id, parents }])),
  )
  await subscribeToChannels(client, account, idsOf(plans.filter(({ autoAssignAlerts }) => autoAssignAlerts)), 'all')
}

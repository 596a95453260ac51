import { isDeepStrictEqual } from 'node:util'
import { newCheckGroup, type CheckGroup, type CheckGroupWrite } from '@vedette/wire'
import type { Change, VerbContext } from '../../access/write.ts'
import { partFromChannels } from '../../alerting/notifications/alert-store.ts'
import { conflict, invalid } from '../../api-error.ts'
import type { Queryable } from '../../db/database.ts'
import { readLocationSlugs } from '../../locations/location-param.ts'
import { readLocationsById } from '../../locations/store.ts'
import { openGroup, type GroupDefinition, type StoredGroup } from '../../settings/group-store.ts'
import { lockChecksOfAccount } from '../../settings/store.ts'
import type { ApiDeps, ChangeOfCheck } from '../api-deps.ts'
import {
  changeChecksOfGroup,
  countChecksOfGroup,
  leaveGroup,
  readUnknownReferences,
  referenceProblems,
} from '../checks/for-verbs.ts'
import { groupProblems, mergeGroup, sealGroup } from './group-definition.ts'
import {
  deleteGroup,
  insertGroup,
  readGroupRow,
  replaceGroupSubscriptions,
  subscribeGroupToAll,
  writeGroup,
  type GroupRow,
} from './store.ts'

const resource = 'check-groups'

/** A group as the API returns it, and its version. */
export interface VersionedGroup {
  group: CheckGroup
  version: number
}

interface GroupWrite {
  sent: CheckGroupWrite
  /** Subscribe it to every channel the account has. */
  autoAssignAlerts: boolean | undefined
}

/** Makes, changes and deletes groups, and carries what that means to their checks. */
export function groupVerbs(deps: ApiDeps) {
  const { write } = deps
  return {
    create(ctx: VerbContext, { version, ...sent }: GroupWrite & { version: 1 | 2 }): Promise<VersionedGroup> {
      return write(ctx, { action: 'create', resource }, async ({ client, at }) => {
        await lockChecksOfAccount(client, ctx.accountId)
        const id = await insertGroup(client, ctx.accountId, { name: sent.sent.name ?? '', at })
        const of = { account: ctx.accountId, id }
        await store(deps, client, of, { before: newCheckGroup(version), ...sent, at, updatedAt: null })
        const answer = await answerOf(client, ctx.accountId, await readGroupRow(client, ctx.accountId, id))
        return { id: String(id), answer, after: answer.group }
      })
    },

    update(ctx: VerbContext, id: number, sent: GroupWrite): Promise<VersionedGroup> {
      return write(ctx, { action: 'update', resource }, async (change) => {
        const { client, at } = change
        const { row, before } = await lockGroup(change, ctx.accountId, id)
        const of = { account: ctx.accountId, id }
        const opened = openGroup(deps.vault, ctx.accountId, row)
        const changes = await store(deps, client, of, { before: opened, ...sent, at, updatedAt: at })
        const answer = await answerOf(client, ctx.accountId, await readGroupRow(client, ctx.accountId, id))
        const announce = () => (changes.length === 0 ? undefined : deps.hooks.manyChanged(ctx.accountId, changes))
        return { id: String(id), answer, before, after: answer.group, announce }
      })
    },

    /** Throws a 409 while it has checks. */
    remove(ctx: VerbContext, id: number): Promise<undefined> {
      return write(ctx, { action: 'delete', resource }, async (change) => {
        const { client, at } = change
        const { before } = await lockGroup(change, ctx.accountId, id)
        const checks = await countChecksOfGroup(client, ctx.accountId, id)
        if (checks > 0)
          throw conflict(
            `The group "${before.name}" still has ${checks === 1 ? '1 check: move or delete it' : `${checks} checks: move or delete them`} first.`,
          )
        const account = ctx.accountId
        await changeChecksOfGroup(client, deps.vault, { account, groupId: id, group: undefined, at, runsChange: true })
        await leaveGroup(client, account, id)
        await deleteGroup(client, account, id)
        return { id: String(id), answer: undefined, before }
      })
    },
  }
}

interface Stored extends GroupWrite {
  /** Secrets in the clear, locations as ids. */
  before: GroupDefinition
  at: Date
  updatedAt: Date | null
}

/** Returns the checks of which the schedule must take note. */
async function store(
  { vault }: ApiDeps,
  client: Queryable,
  { account, id }: { account: string; id: number },
  { before, sent, autoAssignAlerts, at, updatedAt }: Stored,
): Promise<ChangeOfCheck[]> {
  const { id: _id, created_at: _created, updated_at: _updated, alertChannelSubscriptions, ...fields } = sent
  const slugs = await readLocationSlugs(client, account)
  const kept = before.privateLocations ?? []
  const merged = mergeGroup({ ...before, privateLocations: before.privateLocations?.map(slugs.slugOf) ?? null }, fields)
  const references = { ...merged, ...(alertChannelSubscriptions && { alertChannelSubscriptions }) }
  const unknown = await readUnknownReferences(client, account, [references])
  const problems = [...groupProblems(merged), ...referenceProblems(unknown, { slugs, keptLocations: kept }, references)]
  if (problems.length > 0) throw invalid(problems)
  const ids = merged.privateLocations?.map((slug) => slugs.idOf(slug, kept) ?? slug) ?? null
  const definition = { ...merged, privateLocations: ids }
  const sealed = sealGroup(vault, { account, id }, definition)
  if (saysAlertSettings(before) && !saysAlertSettings(definition))
    await partFromChannels(client, 'c.account_id = $1 AND c.group_id = $2', [account, id])
  await writeGroup(client, account, { id, ...sealed, updatedAt })
  if (alertChannelSubscriptions)
    await replaceGroupSubscriptions(client, { account, groupId: id }, alertChannelSubscriptions)
  if (autoAssignAlerts === true) await subscribeGroupToAll(client, account, id)
  const group: StoredGroup = { id, ...sealed }
  return changeChecksOfGroup(client, vault, {
    account,
    groupId: id,
    group,
    at,
    runsChange: runsOther(before, definition),
  })
}

/** Only then its channels hear of its checks. */
const saysAlertSettings = ({ alertSettings, useGlobalAlertSettings }: GroupDefinition): boolean =>
  alertSettings !== null || useGlobalAlertSettings === true

/** What runs of its checks are given, or whether they can run. */
const decisive = [
  'apiCheckDefaults',
  'environmentVariables',
  'setupSnippetId',
  'tearDownSnippetId',
  'localSetupScript',
  'localTearDownScript',
  'runtimeId',
] as const

const runsOther = (before: GroupDefinition, after: GroupDefinition): boolean =>
  decisive.some((field) => !isDeepStrictEqual(before[field], after[field]))

/** Locks the account's checks first: changes of checks lock in that order. */
async function lockGroup({ client, existing }: Change, account: string, id: number) {
  await lockChecksOfAccount(client, account)
  const row = await existing('check group', readGroupRow(client, account, id, true))
  const { group: before } = await answerOf(client, account, row)
  return { row, before }
}

export async function answerOf(client: Queryable, account: string, row: GroupRow | undefined): Promise<VersionedGroup> {
  const [group] = row ? await toGroups(client, [row]) : []
  if (!row || !group) throw new Error(`The account ${account} lost its group.`)
  return { group, version: row.version }
}

/** Groups as the API returns them. */
export async function toGroups(client: Queryable, rows: readonly GroupRow[]): Promise<CheckGroup[]> {
  const named = rows.flatMap(({ definition }) => definition.privateLocations ?? [])
  const locations = await readLocationsById(client, named)
  return rows.map(({ id, definition, subscriptions, created_at, updated_at }) => ({
    id,
    ...definition,
    privateLocations: definition.privateLocations?.map((one) => locations.get(one)?.slug ?? one) ?? null,
    alertChannelSubscriptions: subscriptions,
    created_at: created_at.toISOString(),
    updated_at: updated_at?.toISOString() ?? null,
  }))
}

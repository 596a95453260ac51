import { checkTypeOf } from '@vedette/checks'
import { endEpisodes } from '../../../alerting/episodes/episode-store.ts'
import type { Queryable } from '../../../db/database.ts'
import type { StoredGroup } from '../../../settings/group-store.ts'
import { countFrom, resolveChecks } from '../../../settings/store.ts'
import type { Vault } from '../../../vault.ts'
import type { ChangeOfCheck } from '../../api-deps.ts'
import { notRunnableReason } from '../definition/not-runnable.ts'
import { unsealDefinition } from '../definition/sealed-definition.ts'
import { definitionToRun } from '../definition/to-run.ts'
import {
  insertNextRevisions,
  readChecksOfGroup,
  type CheckOfGroup,
  type NextRevision,
} from '../group-revision-store.ts'

/** The embedded database has one connection: no statement may block it for long. */
const batchSize = 100

interface ChangedGroup {
  account: string
  groupId: number
  /** The group as it is now; undefined when it ceases to be. */
  group: StoredGroup | undefined
  at: Date
  /** Whether its checks run something else now. */
  runsChange: boolean
}

/**
 * Carries a change of a group to its checks, in the transaction of that change. Returns the checks of which the schedule must
 * take note.
 */
export async function changeChecksOfGroup(
  client: Queryable,
  vault: Vault,
  changed: ChangedGroup,
): Promise<ChangeOfCheck[]> {
  const { account, groupId, at } = changed
  const revised = changed.runsChange ? await reviseChecks(client, vault, changed) : noRevisions
  const resolved = await resolveChecks(client, { account, groupId, at })
  await countFrom(client, revised.started, at)
  const stopped = [...revised.stopped, ...resolved.stopped]
  if (stopped.length > 0) await endEpisodes(client, stopped, at)
  const started = new Set([...revised.started, ...resolved.started])
  const ids = [...new Set([...revised.ids, ...resolved.changed])]
  return ids.map((checkId) => ({ checkId, change: 'updated', runNow: started.has(checkId) }))
}

interface RevisedChecks {
  ids: string[]
  /** Those of them that ran, and cannot run any more. */
  stopped: string[]
  /** Those of them that could not run, and are to run at once. */
  started: string[]
}

const noRevisions: RevisedChecks = { ids: [], stopped: [], started: [] }

async function reviseChecks(client: Queryable, vault: Vault, changed: ChangedGroup): Promise<RevisedChecks> {
  const { account, groupId, group, at } = changed
  const done: RevisedChecks = { ids: [], stopped: [], started: [] }
  let after = '00000000-0000-0000-0000-000000000000'
  for (let length = batchSize; length === batchSize;) {
    const checks = await readChecksOfGroup(client, { account, groupId, after, limit: batchSize })
    const revisions = checks.flatMap((check) => nextRevision(vault, { account, group }, check) ?? [])
    await insertNextRevisions(client, account, { revisions, at })
    const before = new Map(checks.map((check) => [check.id, check]))
    for (const { id, notRunnable } of revisions) {
      done.ids.push(id)
      const check = before.get(id)
      if (check?.activated !== true || (check.not_runnable === null) === (notRunnable === null)) continue
      done[notRunnable === null ? 'started' : 'stopped'].push(id)
    }
    length = checks.length
    after = checks.at(-1)?.id ?? after
  }
  return done
}

/** Undefined for types of which nothing is run. */
function nextRevision(
  vault: Vault,
  { account, group }: Pick<ChangedGroup, 'account' | 'group'>,
  check: CheckOfGroup,
): NextRevision | undefined {
  const type = checkTypeOf(check.type)
  if (!type) throw new Error(`No check type ${check.type} is built`)
  if (type.mode.kind === 'passive') return undefined
  const owner = { account, checkId: check.id }
  const definition = unsealDefinition(vault, owner, type, check)
  return {
    id: check.id,
    toRun: definitionToRun(vault, { ...owner, group }, type, definition),
    notRunnable: notRunnableReason(type, definition, group),
  }
}

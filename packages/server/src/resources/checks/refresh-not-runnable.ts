import { checkTypeOf } from '@vedette/checks'
import type { Clock } from '@vedette/wire'
import type { Database, Queryable } from '../../db/database.ts'
import { notRunnableReason } from './definition/not-runnable.ts'
import { lockNotRunnable, writeNotRunnable } from './not-runnable-store.ts'

const pageSize = 500
const beforeAll = '00000000-0000-0000-0000-000000000000'

interface Options {
  db: Pick<Database, 'transaction'>
  clock: Pick<Clock, 'now'>
}

/**
 * Checks that could not run in the version that stored them may run in this one: call it before the schedule is read. One
 * that can run is never marked here, because a server of another version on the same database may be running it.
 */
export async function refreshNotRunnable({ db, clock }: Options): Promise<void> {
  let last: string | undefined = beforeAll
  while (last !== undefined) {
    const after: string = last
    last = await db.transaction((client) => refreshPage(client, after, new Date(clock.now())))
  }
}

/** Returns the id to go on from; undefined at the end. */
async function refreshPage(client: Queryable, afterId: string, at: Date): Promise<string | undefined> {
  const checks = await lockNotRunnable(client, afterId, pageSize)
  const changed = checks.flatMap(({ id, type: name, definition, group, not_runnable: before }) => {
    const type = checkTypeOf(name)
    if (type === undefined) return []
    const reason = notRunnableReason(type, definition, group ?? undefined)
    return reason === before ? [] : [{ id, reason }]
  })
  if (changed.length > 0) await writeNotRunnable(client, changed, at)
  return checks.length < pageSize ? undefined : checks.at(-1)?.id
}

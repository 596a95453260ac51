import type { ApiDeps } from '../api-deps.ts'
import { answersOf } from './check-answer.ts'
import { withEventAddress } from './definition/event-address.ts'
import { writeCheck } from './schema.ts'
import { listChecks, readCheck, type StoredCheck } from './store.ts'

/** Answers about the checks of a group, as JSON, with the settings in force. */
export function checkAnswers({ db, clock, baseUrl }: ApiDeps) {
  const shown = withEventAddress(baseUrl)
  const write = async (account: string, checks: readonly StoredCheck[]): Promise<string[]> => {
    const of = { account, at: new Date(clock.now()), applyGroupSettings: true }
    return (await answersOf(db.pool, checks, of)).map((check) => writeCheck(shown(check)))
  }
  return {
    async list(account: string, groupId: number, page: { limit: number; offset: number }) {
      const any = { tags: [], checkType: undefined, search: undefined, url: undefined, state: undefined }
      const filter = { ...any, groupId, now: new Date(clock.now()) }
      const { checks, total } = await listChecks(db.pool, { account, filter }, page)
      return { json: `[${(await write(account, checks)).join(',')}]`, length: checks.length, total }
    },
    /** Undefined when the group has no such check. */
    async read(account: string, groupId: number, id: string): Promise<string | undefined> {
      const check = await readCheck(db.pool, account, id)
      if (check?.definition.groupId !== groupId) return undefined
      const [json] = await write(account, [check])
      return json
    },
  }
}

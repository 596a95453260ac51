import { isFinalStatus, type CheckSession } from '@vedette/wire'
import { callPage, type Page, mostPerPage } from './client.ts'

/** Sessions that began later than this run are passed over up to here: it is followed, and not looked up months later. */
const mostPages = 20
const lookEveryMs = 2000

type ReadPage = (page: number) => Promise<Page<CheckSession>>

/**
 * The sessions of a group that was run at this time, in the order in which they are listed: they were begun together.
 * `readPage` answers with pages of all sessions, newest first.
 */
export async function sessionsOfRun(startedAt: string, readPage: ReadPage): Promise<CheckSession[]> {
  // By id: between two pages others may begin, and then the second repeats some of the first.
  const found = new Map<string, CheckSession>()
  for (let page = 1; page <= mostPages; page++) {
    const { items } = await readPage(page)
    for (const session of items)
      if (session.startedAt === startedAt && session.runSource === 'GROUP_RUN_ALL')
        found.set(session.checkSessionId, session)
    const last = items.at(-1)
    if (last === undefined || last.startedAt < startedAt) break
  }
  return [...found.values()]
}

/** The sessions of a run of a group, read again until all of them are over. */
export const groupRunQuery = (startedAt: string) => ({
  queryKey: ['sessions', 'group-run', startedAt],
  queryFn: () =>
    sessionsOfRun(startedAt, (page) => callPage<CheckSession>('/v2/check-sessions', { limit: mostPerPage, page })),
  refetchInterval: ({ state: { data } }: { state: { data: CheckSession[] | undefined } }) =>
    data?.some(({ status }) => !isFinalStatus(status)) ? lookEveryMs : (false as const),
})

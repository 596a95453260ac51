import { checkTypeOf } from '@vedette/checks'
import type { StartedRun } from '@vedette/wire'
import type { VerbContext } from '../../../access/write.ts'
import { conflict } from '../../../api-error.ts'
import { startSessions } from '../../../sessions/index.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { sessionLink } from '../../check-sessions/for-verbs.ts'
import { readCheck } from '../store.ts'

/** Runs a check now, besides its schedule. Throws a 409 with the reason when it cannot run. */
export const runCheck =
  ({ write, hooks, baseUrl }: ApiDeps) =>
  (ctx: VerbContext, id: string): Promise<StartedRun> =>
    write(ctx, { action: 'run', resource: 'checks' }, async ({ client, at, existing }) => {
      const stored = await existing('check', readCheck(client, ctx.accountId, id))
      if (checkTypeOf(stored.type)?.mode.kind === 'passive')
        throw conflict('The check waits for events: it has no runs.')
      if (stored.not_runnable !== null) throw conflict(`The check cannot run: ${stored.not_runnable}`)
      if (!stored.activated) throw conflict('The check is paused; activate it to run it.')
      const wish = { checkIds: [id], source: 'SCHEDULE_NOW', accountId: ctx.accountId, now: at.getTime() } as const
      const [session] = await startSessions(client, wish)
      if (session === undefined || session.dueAt === null) throw conflict('The check cannot run now.')
      const answer = {
        checkRunId: session.dueAt,
        resultIds: session.resultIds,
        checkSessionId: session.id,
        checkSessionLink: sessionLink(baseUrl(), session.id),
      }
      return { id, answer, announce: () => hooks.runsRequested([id]) }
    })

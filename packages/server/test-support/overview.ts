import type { Overview, OverviewRow } from '@vedette/wire'
import { overviewRoutes, uptimeHours } from '../src/resources/overview/index.ts'
import type { TestApi } from './api.ts'
import { openTestHttp } from './http.ts'

/** The row of a check in the list of the web app, as it is at this time. */
export async function overviewRowOf(
  { deps, keys }: Pick<TestApi, 'deps' | 'keys'>,
  checkId: string,
  nowMs = Date.now(),
): Promise<OverviewRow | undefined> {
  const clock = { ...deps.clock, now: () => nowMs }
  const { db, authenticate } = deps
  const app = await openTestHttp(db, (http) => overviewRoutes(http, { ...deps, clock, uptime: uptimeHours(deps) }), {
    authenticate,
  })
  const headers = { authorization: `Bearer ${keys.read}` }
  const response = await app.inject({ url: `/v1/overview?checkId=${checkId}`, headers })
  await app.close()
  return response.json<Overview>().items[0]
}

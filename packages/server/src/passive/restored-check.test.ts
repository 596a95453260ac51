import { beforeEach, expect, it } from 'vitest'
import { useDatabase } from '../../test-support/database.ts'
import { givenKey } from '../../test-support/http.ts'
import { secondsOf, takeoverMs, usePassiveServer } from '../../test-support/passive-server.ts'

const database = useDatabase()
const passive = usePassiveServer(database)
const { clock } = passive
type Check = Awaited<ReturnType<typeof passive.givenHeartbeat>>
let check: Check

beforeEach(async () => {
  await clock.advance(takeoverMs)
  check = await passive.givenHeartbeat()
})

async function call(method: 'POST' | 'DELETE', url: string, payload?: object) {
  const headers = { authorization: `Bearer ${await givenKey(database.db, check.accountId, 'admin')}` }
  const answering = passive.server.app.inject({ method, url, headers, ...(payload && { payload }) })
  await clock.advance(1000)
  const response = await answering
  return { status: response.statusCode, body: response.body === '' ? undefined : response.json<{ message: string }>() }
}
const remove = () => call('DELETE', `/v1/checks/${check.id}`)
const restore = () => call('POST', `/v1/checks/${check.id}/restore`)

it('a passive check that comes back waits for events from then on, at its old address', async () => {
  await check.send()
  await clock.advance(10_000)
  await remove()
  await clock.advance(10 * 60_000)
  const before = await check.outcomes()
  expect((await restore()).status).toBe(200)
  await clock.advance(50_000)
  expect(await check.outcomes()).toEqual(before)
  expect(await check.send()).toMatchObject({ statusCode: 200 })
  await clock.advance(5000)
  expect((await check.outcomes()).at(-1)).toBe('pass')
  await clock.advance(90_000)
  expect((await check.outcomes()).at(-1)).toBe('fail')
})

it('one whose address another check has meanwhile does not come back', async () => {
  const { rows } = await database.db.pool.query<{ token: string }>(
    'SELECT event_token AS token FROM checks WHERE id = $1',
    [check.id],
  )
  await remove()
  const heartbeat = { ...secondsOf(60, 10), pingToken: rows[0]?.token }
  expect((await call('POST', '/v1/checks/heartbeat', { name: 'Other', heartbeat })).status).toBe(201)
  expect(await restore()).toEqual({
    status: 409,
    body: expect.objectContaining({
      message: expect.stringContaining('Another check has its address') as unknown,
    }) as unknown,
  })
})

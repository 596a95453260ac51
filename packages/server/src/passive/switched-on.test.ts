import { beforeEach, describe, expect, it } from 'vitest'
import { givenAccount, useEmptiedDatabase } from '../../test-support/database.ts'
import { givenKey } from '../../test-support/http.ts'
import { takeoverMs, usePassiveServer } from '../../test-support/passive-server.ts'

const database = useEmptiedDatabase()
const passive = usePassiveServer(database)
const { clock } = passive
const offMs = 5 * 60_000

type Check = Awaited<ReturnType<typeof passive.givenHeartbeat>>
let check: Check
let ofAccount: string
let ofOperator: string

beforeEach(async () => {
  await clock.advance(takeoverMs)
  check = await passive.givenHeartbeat()
  ofAccount = await givenKey(database.db, check.accountId, 'admin')
  const operator = await givenAccount(database.db)
  ofOperator = await givenKey(database.db, operator, 'admin')
  await database.db.pool.query(
    `INSERT INTO installation (key, value) VALUES ('operator_account', $1)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    [JSON.stringify(operator)],
  )
})

async function call(key: string, method: 'POST' | 'PUT', url: string, payload: object = {}) {
  const answering = passive.server.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${key}` },
    payload,
  })
  await clock.advance(1000)
  const response = await answering
  expect(response.statusCode, response.body).toBeLessThan(300)
  return response.json<{ id: number }>()
}

const ways = {
  'its group': async () => {
    const { id: groupId } = await call(ofAccount, 'POST', '/v2/check-groups', { name: 'Jobs' })
    await call(ofAccount, 'PUT', `/v1/checks/heartbeat/${check.id}`, { groupId })
    const change = (activated: boolean) =>
      call(ofAccount, 'PUT', `/v2/check-groups/${groupId}`, { name: 'Jobs', activated })
    return { off: () => change(false), on: () => change(true) }
  },
  'its account': () => {
    const act = (what: string) => call(ofOperator, 'POST', `/v1/installation/accounts/${check.accountId}/${what}`)
    return Promise.resolve({ off: () => act('suspend'), on: () => act('resume') })
  },
}

describe.each(Object.entries(ways))('a passive check that is switched on again with %s', (_name, way) => {
  it('waits for events from then on, and its silence is noticed', async () => {
    const { off, on } = await way()
    await check.send()
    await clock.advance(5000)
    await off()
    await clock.advance(offMs)
    const before = await check.outcomes()
    await on()
    await clock.advance(60_000)
    expect(await check.outcomes()).toEqual(before)
    await clock.advance(20_000)
    expect(await check.outcomes()).toEqual([...before, 'fail'])
  })
})

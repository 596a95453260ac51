import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { agentKeyRoutes, agentListRoutes } from './index.ts'
import { hashSecret } from '../access/secret-token.ts'
import { writer } from '../access/write.ts'
import { AgentKeys } from './keys/agent-keys.ts'
import { insertAgentKey } from './store.ts'
import { Presence } from './presence.ts'
import { givenAccount, useDatabase } from '../../test-support/database.ts'
import { givenKey, openTestHttp } from '../../test-support/http.ts'
import type { App } from '../http/build-http.ts'
import { givenPrivateKey, givenPrivateLocation } from '../../test-support/private-locations.ts'
import { TestClock } from '../../test-support/clock.ts'

const database = useDatabase()
let app: App
let keys: AgentKeys
let presence: Presence
let clock: TestClock

beforeEach(async () => {
  clock = new TestClock()
  keys = new AgentKeys({ db: database.db, clock })
  presence = new Presence(clock)
  app = await openTestHttp(database.db, (http) => {
    agentKeyRoutes(http, { keys, write: writer({ db: database.db, clock, log: { error: () => undefined } }) })
    agentListRoutes(http, { keys, presence })
  })
})
afterEach(() => app.close())

async function operatorKey(): Promise<string> {
  const oldest = `SELECT coalesce((SELECT value #>> '{}' FROM installation WHERE key = 'operator_account'),
    (SELECT id::text FROM accounts ORDER BY created_at, id LIMIT 1)) AS id`
  const { rows } = await database.db.pool.query<{ id: string | null }>(oldest)
  return givenKey(database.db, rows[0]?.id ?? (await givenAccount(database.db)), 'admin')
}

const call = (method: 'GET' | 'POST' | 'DELETE', url: string, more: { key: string; payload?: object }) =>
  app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${more.key}` },
    ...(more.payload && { payload: more.payload }),
  })

it('an operator makes a key for a location, sees it masked, and revokes it', async () => {
  const key = await operatorKey()
  const made = await call('POST', '/v1/agent-keys', { key, payload: { location: 'af-south-1' } })
  expect(made.statusCode).toBe(201)
  const { id, rawKey, maskedKey } = made.json<{ id: string; rawKey: string; maskedKey: string }>()
  expect(rawKey).toMatch(/^vdl_/)
  expect(await keys.find(rawKey)).toMatchObject({ id, kind: 'data-center', location: 'af-south-1' })
  const { rows } = await database.db.pool.query('SELECT * FROM agent_keys WHERE id = $1', [id])
  expect(JSON.stringify(rows)).not.toContain(rawKey)

  const listed = (await call('GET', '/v1/agent-keys', { key })).json<{ id: string }[]>()
  expect(listed.find((one) => one.id === id)).toMatchObject({ maskedKey, location: 'af-south-1' })
  expect(JSON.stringify(listed)).not.toContain(rawKey)

  expect((await call('DELETE', `/v1/agent-keys/${id}`, { key })).statusCode).toBe(204)
  expect(await keys.find(rawKey)).toBeUndefined()
  expect((await call('DELETE', `/v1/agent-keys/${id}`, { key })).statusCode).toBe(404)
})

it('only an operator may, and only for locations there are', async () => {
  const stranger = await givenKey(database.db, await givenAccount(database.db), 'admin')
  expect((await call('GET', '/v1/agent-keys', { key: stranger })).statusCode).toBe(403)
  const payload = { location: 'moon-1' }
  const answer = await call('POST', '/v1/agent-keys', { key: await operatorKey(), payload })
  expect(answer.statusCode).toBe(400)
  expect(answer.json<{ message: string }>().message).toContain('location')
})

it('a built-in agent keeps its key’s id when its secret is renewed, and only the newest secrets are valid', async () => {
  const server = randomUUID()
  const secrets: string[] = []
  for (let restart = 0; restart < 10; restart++) {
    secrets.push(await keys.mintBuiltin(server))
    await clock.advance(1000)
  }
  const found = await Promise.all(secrets.map((secret) => keys.find(secret)))
  expect(found.slice(2).map((key) => key?.id)).toEqual(Array(8).fill(server))
  expect(found.slice(0, 2)).toEqual([undefined, undefined])
  expect((await keys.list()).filter(({ id }) => id === server)).toHaveLength(1)
})

it('a server does not lock out the agent of another one, not even of a copy of its data directory', async () => {
  const [original, other] = [randomUUID(), randomUUID()]
  const first = await keys.mintBuiltin(original)
  await keys.mintBuiltin(other)
  const copy = new AgentKeys({ db: database.db, clock })
  await copy.mintBuiltin(original)
  expect((await keys.find(first))?.id).toBe(original)
})

it('a key that was named by a data directory becomes that of one server, with the id it had', async () => {
  const [id, dataDir] = [randomUUID(), `/data/${randomUUID()}`]
  await insertAgentKey(
    database.db.pool,
    { id, kind: 'builtin', accountId: null, location: dataDir, masked: '', createdAt: 0 },
    randomBytes(32),
  )
  expect([await keys.adoptBuiltin(dataDir), await keys.adoptBuiltin(dataDir)]).toEqual([id, undefined])
  expect((await keys.find(await keys.mintBuiltin(id)))?.id).toBe(id)
})

it('everyone sees the agents of data centers, and of private locations only the account’s own with valid keys', async () => {
  const [mine, other] = [await givenAccount(database.db), await givenAccount(database.db)]
  const agentOf = async (raw: string, agentId: string) => {
    keys.forget()
    presence.seen((await keys.find(raw))!, agentId)
  }
  const privateKey = async (accountId: string, slug: string) =>
    givenPrivateKey(database.db, {
      accountId,
      slug,
      location: await givenPrivateLocation(database.db, accountId, slug),
    })
  const [own, stale] = [await privateKey(mine, 'office-of-b'), await privateKey(mine, 'office-of-d')]
  await agentOf((await keys.mintForDataCenter(database.db.pool, 'eu-west-1')).raw, 'a')
  await agentOf(own, 'b')
  await agentOf(await privateKey(other, 'office-of-c'), 'c')
  await agentOf(stale, 'd')
  await database.db.pool.query(`UPDATE agent_keys SET revoked_at = now() WHERE hash = $1`, [hashSecret(stale)])
  const key = await givenKey(database.db, mine, 'read')
  const listed = (await call('GET', '/v1/agents', { key })).json<{ agentId: string; locations: string[] }[]>()
  expect(listed.map(({ agentId }) => agentId)).toEqual(['a', 'b'])
  expect(listed.map(({ locations }) => locations)).toEqual([['eu-west-1'], ['office-of-b']])
})

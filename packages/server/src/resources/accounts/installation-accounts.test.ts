import { randomUUID } from 'node:crypto'
import type { CreatedInstallationAccount, InstallationAccount } from '@vedette/wire'
import { describe, expect, test } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useEmptiedDatabase } from '../../../test-support/database.ts'
import { addToAccount, browserHeaders, cookieOf, givenMember } from '../../../test-support/people.ts'
import { givenWholeApp } from '../../../test-support/whole-app.ts'
import type { ChangeOfCheck } from '../api-deps.ts'
import { canaryAccount } from '../../db/operator-store.ts'

const database = useEmptiedDatabase()
const path = '/v1/installation/accounts'

/** The operator's API, and that of another account. */
async function setUp() {
  const changed: string[] = []
  const resumed: ChangeOfCheck[] = []
  await database.db.pool.query(`DELETE FROM installation WHERE key = 'operator_account'`)
  const operator = await givenApi(database.db, {
    hooks: {
      checksChanged: (ids) => void changed.push(...ids),
      manyChanged: (_account, changes) => void resumed.push(...changes),
    },
  })
  await database.db.pool.query(`INSERT INTO installation (key, value) VALUES ('operator_account', $1)`, [
    JSON.stringify(operator.accountId),
  ])
  const { authenticate } = operator.deps
  const other = await givenApi(database.db, { deps: { authenticate }, http: { authenticate } })
  const act = (what: 'suspend' | 'resume', id = other.accountId, body?: object) =>
    operator.call('POST', `${path}/${id}/${what}`, { body: what === 'suspend' ? (body ?? {}) : undefined })
  return { operator, other, act, changed, resumed }
}

const makeCheck = async (api: TestApi, more: object = {}) =>
  String(
    (
      await api.call('POST', '/v1/checks/api', {
        body: { name: 'Shop', request: { method: 'GET', url: 'https://shop.example' }, ...more },
      })
    ).body['id'],
  )

async function scheduled(ids: readonly string[]): Promise<boolean[]> {
  const { rows } = await database.db.pool.query<{ id: string; activated: boolean }>(
    'SELECT id, activated FROM checks WHERE id = ANY($1::uuid[])',
    [ids],
  )
  return ids.map((id) => rows.find((row) => row.id === id)?.activated === true)
}

describe('the operator', () => {
  test('lists every account with its members and checks, the oldest first, and not that of the canary', async () => {
    const { operator, other } = await setUp()
    await database.db.pool.query(
      `INSERT INTO accounts (id, name, alert_settings, default_locations, created_at) VALUES ($1, 'Canary', '{}', '{}', now())
       ON CONFLICT DO NOTHING`,
      [canaryAccount],
    )
    await givenMember(database.db, other.accountId, 'OWNER')
    await makeCheck(other)
    const all: InstallationAccount[] = []
    for (let page = 1, total = 1; all.length < total; page++) {
      const part = await operator.call('GET', `${path}?limit=2&page=${page}`)
      all.push(...(part.list as unknown as InstallationAccount[]))
      total = Number(String(part.headers['content-range']).split('/')[1])
    }
    const times = all.map(({ created_at }) => created_at)
    expect(times).toEqual(times.toSorted())
    expect(all.find(({ id }) => id === other.accountId)).toMatchObject({ members: 1, checks: 1, suspendedAt: null })
    expect(all.map(({ id }) => id)).not.toContain(canaryAccount)
  })

  test('creates an account, whose owner joins by the link', async () => {
    const { operator } = await setUp()
    const email = `${randomUUID()}@example.test`
    const made = await operator.call('POST', path, { body: { name: 'Shop team', ownerEmail: email } })
    const account = made.body as unknown as CreatedInstallationAccount
    expect([made.status, account.name, account.members]).toEqual([201, 'Shop team', 0])
    const app = await givenWholeApp(database.db)
    const joined = await app.inject({
      method: 'POST',
      url: '/session/join',
      headers: browserHeaders(),
      payload: { token: account.invite.link.split('token=')[1], name: 'Ann', password: 'a long enough password' },
    })
    const session = await app.inject({ url: '/session', headers: browserHeaders(cookieOf(joined)) })
    expect(session.json()).toMatchObject({ accountId: account.id, isOwner: true, isOperator: false })
  })

  test.each([
    [{ name: '', ownerEmail: 'a@example.test' }, 'name'],
    [{ name: 'Shop' }, 'ownerEmail'],
    [{ name: 'Shop', ownerEmail: 'nobody' }, 'ownerEmail'],
  ])('is told what is wrong with %j', async (body, key) => {
    const { operator } = await setUp()
    expect((await operator.call('POST', path, { body })).body['validation']).toEqual({ source: 'payload', keys: [key] })
  })

  test('is nobody else', async () => {
    const { other, operator } = await setUp()
    expect((await other.call('GET', path)).status).toBe(403)
    expect((await other.call('POST', `${path}/${other.accountId}/resume`)).status).toBe(403)
    expect((await operator.call('GET', path, { key: operator.keys.write })).status).toBe(403)
  })
})

describe('a suspended account', () => {
  test('lets in none of its keys, whatever their role, and says why', async () => {
    const { other, act } = await setUp()
    expect((await other.call('GET', '/v1/checks')).status).toBe(200)
    const suspended = await act('suspend', other.accountId, { because: 'Unpaid' })
    expect(suspended.body).toMatchObject({ id: other.accountId, suspendedBecause: 'Unpaid' })
    for (const key of Object.values(other.keys)) {
      const answer = await other.call('GET', '/v1/checks', { key })
      expect([answer.status, answer.body['message']]).toEqual([403, expect.stringContaining('suspended')])
    }
    expect((await act('resume')).body).toMatchObject({ suspendedAt: null, suspendedBecause: null })
    expect((await other.call('GET', '/v1/checks')).status).toBe(200)
  })

  test('lets its members see where they are, change to another account and sign out, and nothing else', async () => {
    const { other, operator, act } = await setUp()
    const person = await givenMember(database.db, other.accountId, 'OWNER')
    await addToAccount(database.db, operator.accountId, { userId: person.userId, role: 'READ_ONLY' })
    const app = await givenWholeApp(database.db)
    await act('suspend')
    const ask = (method: 'GET' | 'PUT' | 'DELETE', url: string, payload?: object) =>
      app.inject({ method, url, headers: person.headers, ...(payload && { payload }) })
    expect((await ask('GET', '/v1/checks')).statusCode).toBe(403)
    expect((await ask('GET', '/v1/accounts')).statusCode).toBe(403)
    expect((await ask('GET', '/session')).json()).toMatchObject({ isSuspended: true })
    expect((await ask('PUT', '/session/account', { accountId: operator.accountId })).statusCode).toBe(200)
    expect((await ask('GET', '/v1/checks')).statusCode).toBe(200)
    expect((await ask('DELETE', '/session')).statusCode).toBe(204)
  })

  test('has no check on the schedule and no open trouble, and resumes whole and at once', async () => {
    const { other, act, changed, resumed } = await setUp()
    const running = await makeCheck(other)
    const paused = await makeCheck(other, { activated: false })
    await database.db.pool.query(
      `INSERT INTO check_episodes (id, account_id, check_id, state, began_at) VALUES (gen_random_uuid(), $1, $2, 'failing', now())`,
      [other.accountId, running],
    )
    const before = (await other.call('GET', `/v1/checks/${running}`)).body
    expect(await scheduled([running, paused])).toEqual([true, false])
    await act('suspend')
    expect(await scheduled([running, paused])).toEqual([false, false])
    expect(changed).toEqual([running])
    const { rows } = await database.db.pool.query(
      'SELECT ended_at IS NULL AS open FROM check_episodes WHERE check_id = $1',
      [running],
    )
    expect(rows).toEqual([{ open: false }])
    await act('resume')
    expect(await scheduled([running, paused])).toEqual([true, false])
    expect(changed).toEqual([running])
    expect(resumed).toEqual([{ checkId: running, change: 'updated', runNow: true }])
    expect((await other.call('GET', `/v1/checks/${running}`)).body).toEqual(before)
  })

  test('is not that of the operator, nor one that is not there', async () => {
    const { operator, act } = await setUp()
    expect((await act('suspend', operator.accountId)).status).toBe(409)
    expect((await act('suspend', randomUUID())).status).toBe(404)
    expect((await act('resume', canaryAccount)).status).toBe(404)
  })

  test('is suspended once: the second time changes nothing', async () => {
    const { other, act, operator } = await setUp()
    const first = await act('suspend', other.accountId, { because: 'First' })
    expect((await act('suspend', other.accountId, { because: 'Second' })).body).toEqual(first.body)
    const { rows } = await database.db.pool.query(
      `SELECT count(*)::int AS n FROM audit_log WHERE account_id = $1 AND resource = 'accounts' AND resource_id = $2`,
      [operator.accountId, other.accountId],
    )
    expect(rows).toEqual([{ n: 1 }])
  })
})

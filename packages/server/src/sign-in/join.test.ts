import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { useDatabase } from '../../test-support/database.ts'
import { keysOf } from '../../test-support/api.ts'
import { givenAccount } from '../../test-support/account.ts'
import { browserHeaders, cookieOf, givenMember } from '../../test-support/people.ts'
import { givenWholeApp } from '../../test-support/whole-app.ts'

const database = useDatabase()

async function setUp(email = `${randomUUID()}@example.test`) {
  const app = await givenWholeApp(database.db)
  const accountId = await givenAccount(database.db)
  const { admin: key } = await keysOf(database.db, accountId)
  const invite = async (role = 'READ_RUN') => {
    const made = await app.inject({
      method: 'POST',
      url: '/v1/accounts/me/members',
      headers: { authorization: `Bearer ${key}` },
      payload: { email, role },
    })
    const { id, link } = made.json<{ id: string; link: string }>()
    return { id, token: new URL(link).searchParams.get('token') ?? '' }
  }
  const post = (url: string, payload: object, headers = browserHeaders()) =>
    app.inject({ method: 'POST', url, payload, headers })
  const whoAmI = (cookie: string) => app.inject({ url: '/session', headers: browserHeaders(cookie) })
  return { app, accountId, key, email, invite, post, whoAmI }
}

const person = { name: 'Ann', password: 'a long enough password' }

describe('somebody new', () => {
  test('sees who invites, joins with a name and a password, and is signed in', async () => {
    const { invite, post, whoAmI, email, accountId } = await setUp()
    const { token } = await invite()
    expect((await post('/session/invite', { token })).json()).toMatchObject({
      email,
      inviter: 'admin key',
      role: 'READ_RUN',
      isKnown: false,
    })
    const joined = await post('/session/join', { token, ...person })
    expect(joined.json()).toEqual({ accountId })
    expect((await whoAmI(cookieOf(joined))).json()).toMatchObject({ email, name: 'Ann', role: 'run', isOwner: false })
    const again = await post('/session', { email, password: person.password })
    expect(again.statusCode).toBe(200)
  })

  test('uses the link once', async () => {
    const { invite, post } = await setUp()
    const { token } = await invite()
    const answers = await Promise.all([1, 2].map(() => post('/session/join', { token, ...person })))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 404])
    expect((await post('/session/invite', { token })).statusCode).toBe(404)
  })

  test('owns an account that has no owner when invited as an admin', async () => {
    const { invite, post, whoAmI } = await setUp()
    const { token } = await invite('ADMIN')
    const joined = await post('/session/join', { token, ...person })
    expect((await whoAmI(cookieOf(joined))).json()).toMatchObject({ role: 'admin', isOwner: true })
  })

  test.each([
    [{ password: person.password }, 'name'],
    [{ name: 'Ann' }, 'password'],
    [{ name: 'Ann', password: 'short' }, 'password'],
  ])('is told what is missing of %j', async (sent, key) => {
    const { invite, post } = await setUp()
    const answer = await post('/session/join', { token: (await invite()).token, ...sent })
    expect([answer.statusCode, answer.json<{ validation: unknown }>().validation]).toEqual([
      400,
      { source: 'payload', keys: [key] },
    ])
  })
})

describe('a link', () => {
  test('that was taken back, has expired, or was never made leads nowhere, and guessing is slow', async () => {
    const { app, key, invite, post } = await setUp()
    const { id, token } = await invite()
    const away = await app.inject({
      method: 'DELETE',
      url: `/v1/accounts/me/members/${id}`,
      headers: { authorization: `Bearer ${key}` },
    })
    expect(away.statusCode).toBe(204)
    const late = (await invite()).token
    await database.db.pool.query(`UPDATE invites SET expires_at = now() - interval '1 s'`)
    const statuses: number[] = []
    for (const tried of [token, late, 'vdi_1', 'vdi_2', 'vdi_3', 'vdi_4'])
      statuses.push((await post('/session/join', { token: tried, ...person })).statusCode)
    expect(statuses).toEqual([404, 404, 404, 404, 404, 429])
  })

  test('is refused to a page of another site', async () => {
    const { invite, post } = await setUp()
    const { token } = await invite()
    const elsewhere = { ...browserHeaders(), origin: 'https://evil.example' }
    expect((await post('/session/join', { token, ...person }, elsewhere)).statusCode).toBe(403)
  })
})

describe('somebody who has an account', () => {
  test('joins after signing in, works in the new account, and changes back', async () => {
    const { app, invite, post, whoAmI, email, accountId } = await setUp()
    const home = await givenAccount(database.db)
    const known = await givenMember(database.db, home, 'ADMIN', { email })
    const { token } = await invite()
    expect((await post('/session/invite', { token })).json()).toMatchObject({ isKnown: true })
    const joined = await post('/session/join', { token }, { ...browserHeaders(), cookie: String(known.headers.cookie) })
    const cookie = cookieOf(joined)
    expect((await whoAmI(cookie)).json()).toMatchObject({ accountId, role: 'run' })
    expect((await whoAmI(cookie)).json<{ accounts: { id: string }[] }>().accounts.map(({ id }) => id)).toEqual(
      expect.arrayContaining([home, accountId]),
    )
    const switchTo = (to: string) =>
      app.inject({
        method: 'PUT',
        url: '/session/account',
        headers: browserHeaders(cookie),
        payload: { accountId: to },
      })
    expect((await switchTo(home)).json()).toEqual({ accountId: home })
    expect((await whoAmI(cookie)).json()).toMatchObject({ accountId: home, role: 'admin' })
    expect((await switchTo(await givenAccount(database.db))).statusCode).toBe(404)
    expect((await switchTo('nonsense')).statusCode).toBe(400)
  })

  test('is nobody whom the inviter can become: neither by a password nor as somebody else', async () => {
    const { invite, post, email } = await setUp()
    const home = await givenAccount(database.db)
    const victim = await givenMember(database.db, home, 'OWNER', { email })
    const other = await givenMember(database.db, home, 'ADMIN')
    const { token } = await invite()
    const asNobody = await post('/session/join', { token, ...person })
    const asOther = await post('/session/join', { token, ...person }, { ...browserHeaders(), ...other.headers })
    expect([asNobody.statusCode, asOther.statusCode]).toEqual([401, 401])
    expect(asNobody.headers['set-cookie']).toBeUndefined()
    const { rows } = await database.db.pool.query('SELECT password_hash FROM users WHERE id = $1', [victim.userId])
    expect(rows).toEqual([{ password_hash: null }])
  })

  test('and was taken out of all accounts begins anew, without what was there before', async () => {
    const { invite, post, whoAmI, email } = await setUp()
    const before = await givenMember(database.db, await givenAccount(database.db), 'ADMIN', { email })
    await database.db.pool.query('DELETE FROM memberships WHERE user_id = $1', [before.userId])
    const joined = await post('/session/join', { token: (await invite()).token, ...person })
    expect((await whoAmI(cookieOf(joined))).json()).toMatchObject({ email, name: 'Ann' })
    expect((await whoAmI(String(before.headers['cookie']))).statusCode).toBe(401)
  })
})

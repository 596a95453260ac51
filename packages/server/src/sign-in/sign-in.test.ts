import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { givenAccount, useDatabase } from '../../test-support/database.ts'
import { authenticator } from '../access/authenticator.ts'
import { openTestHttp, testBaseUrl } from '../../test-support/http.ts'
import { ensureFirstAccount } from '../installation/store.ts'
import { apiDeps } from '../../test-support/api.ts'
import { TestClock } from '../../test-support/clock.ts'
import { signInRoutes } from './routes.ts'
import { signInStore } from './store.ts'
import { hash } from '@node-rs/argon2'

const database = useDatabase()
const origin = { origin: testBaseUrl, host: '127.0.0.1:8080' }

async function setUp(password: string | null = 'correct horse battery') {
  const { db } = database
  const clock = new TestClock(Date.now())
  const authenticate = authenticator(db, clock)
  const store = signInStore(db)
  const app = await openTestHttp(
    db,
    (http) => signInRoutes(http, { ...apiDeps(db), store, clock, authenticate, baseUrl: () => testBaseUrl }),
    {
      authenticate,
      clock,
    },
  )
  const accountId = await givenAccount(db)
  const userId = randomUUID()
  const email = `${userId}@example.org`
  await db.pool.query('INSERT INTO users (id, email, name, password_hash, created_at) VALUES ($1, $2, $3, $4, now())', [
    userId,
    email,
    'Someone',
    password === null ? null : await hash(password),
  ])
  await db.pool.query(`INSERT INTO memberships VALUES ($1, $2, 'admin')`, [accountId, userId])
  const signIn = (sent: object, headers: Record<string, string> = origin) =>
    app.inject({ method: 'POST', url: '/session', payload: sent, headers })
  const whoAmI = (cookie: string) => app.inject({ url: '/session', headers: { cookie, ...origin } })
  return { app, store, clock, user: { accountId, userId, email }, signIn, whoAmI }
}

const cookieOf = (answer: { headers: Record<string, unknown> }) =>
  String([answer.headers['set-cookie']].flat()[0]).split(';')[0] ?? ''

describe('signing in with a password', () => {
  test('opens a session that the browser holds as an HttpOnly cookie', async () => {
    const { signIn, whoAmI, user } = await setUp()
    const answer = await signIn({ email: user.email.toUpperCase(), password: 'correct horse battery' })
    expect(answer.statusCode).toBe(200)
    expect(String(answer.headers['set-cookie'])).toMatch(/HttpOnly.*SameSite=Lax/)
    expect((await whoAmI(cookieOf(answer))).json()).toMatchObject({
      email: user.email,
      accountId: user.accountId,
      role: 'admin',
    })
  })

  test('says the same for a wrong password, an unknown address and a user without password', async () => {
    const first = await setUp()
    const wrong = await first.signIn({ email: first.user.email, password: 'wrong' })
    const unknown = await first.signIn({ email: 'nobody@example.org', password: 'wrong' })
    const second = await setUp(null)
    const without = await second.signIn({ email: second.user.email, password: 'wrong' })
    expect([wrong.statusCode, unknown.statusCode, without.statusCode]).toEqual([401, 401, 401])
    expect(
      new Set([wrong, unknown, without].map((answer) => String(answer.json<{ message: string }>().message))).size,
    ).toBe(1)
  })

  test('is stopped after five wrong tries, also with the right password, and goes on later', async () => {
    const { signIn, clock, user } = await setUp()
    for (let n = 0; n < 5; n++) await signIn({ email: user.email, password: 'wrong' })
    const blocked = await signIn({ email: user.email, password: 'correct horse battery' })
    expect(blocked.statusCode).toBe(429)
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0)
    await clock.advance(15 * 60_000 + 1)
    expect((await signIn({ email: user.email, password: 'correct horse battery' })).statusCode).toBe(200)
  })

  test('is refused to a page of another site', async () => {
    const { signIn, user } = await setUp()
    const right = { email: user.email, password: 'correct horse battery' }
    expect((await signIn(right, { ...origin, origin: 'https://evil.example' })).statusCode).toBe(403)
    expect((await signIn(right, { ...origin, host: 'rebound.example' })).statusCode).toBe(403)
  })
})

describe('a sign-in link', () => {
  test('works once and leads to the web app', async () => {
    const { app, store, clock, user, whoAmI } = await setUp()
    const token = await store.mintLink(user, clock.now())
    const first = await app.inject({ url: `/sign-in?token=${token}` })
    expect(first.statusCode).toBe(303)
    expect(first.headers.location).toBe('/')
    expect((await whoAmI(cookieOf(first))).statusCode).toBe(200)
    const second = await app.inject({ url: `/sign-in?token=${token}` })
    expect(second.headers.location).toBe('/sign-in?used=1')
    expect(second.headers['set-cookie']).toBeUndefined()
  })

  test('is worth nothing after half an hour', async () => {
    const { app, store, clock, user } = await setUp()
    const token = await store.mintLink(user, clock.now())
    await clock.advance(30 * 60_000 + 1)
    expect((await app.inject({ url: `/sign-in?token=${token}` })).headers.location).toBe('/sign-in?used=1')
  })
})

describe('a session', () => {
  test('is worth nothing after signing out', async () => {
    const { app, signIn, whoAmI, user } = await setUp()
    const cookie = cookieOf(await signIn({ email: user.email, password: 'correct horse battery' }))
    expect((await app.inject({ method: 'DELETE', url: '/session', headers: { cookie, ...origin } })).statusCode).toBe(
      204,
    )
    expect((await whoAmI(cookie)).statusCode).toBe(401)
  })

  test('of another browser ends when the password changes, which needs the current one', async () => {
    const { app, signIn, whoAmI, user } = await setUp()
    const sign = async () => cookieOf(await signIn({ email: user.email, password: 'correct horse battery' }))
    const mine = await sign()
    const other = await sign()
    const change = (payload: object) =>
      app.inject({ method: 'PUT', url: '/session/password', payload, headers: { cookie: mine, ...origin } })
    const without = await change({ password: 'a new long password' })
    expect(without.statusCode).toBe(400)
    expect(without.json()).toMatchObject({ validation: { keys: ['currentPassword'] } })
    expect(
      (await change({ password: 'a new long password', currentPassword: 'correct horse battery' })).statusCode,
    ).toBe(204)
    expect((await whoAmI(mine)).statusCode).toBe(200)
    expect((await whoAmI(other)).statusCode).toBe(401)
    expect((await signIn({ email: user.email, password: 'correct horse battery' })).statusCode).toBe(401)
    expect((await signIn({ email: user.email, password: 'a new long password' })).statusCode).toBe(200)
  })

  test('is not what an API key has', async () => {
    const { app } = await setUp()
    expect((await app.inject({ url: '/session' })).statusCode).toBe(401)
  })
})

test('the first account is made once, and a later start answers who it is without a key', async () => {
  const { db } = database
  const wanted = { email: `first-${randomUUID()}@example.org`, password: 'a long password' }
  const now = new Date()
  const once = await ensureFirstAccount(db, wanted, now)
  const again = await ensureFirstAccount(db, wanted, now)
  expect(again.apiKey).toBeUndefined()
  expect(again.accountId).toBe((await ensureFirstAccount(db, {}, now)).accountId)
  expect(typeof once.accountId).toBe('string')
})

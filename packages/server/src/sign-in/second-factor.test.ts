import { hash } from '@node-rs/argon2'
import { beforeAll, describe, expect, test } from 'vitest'
import { apiDeps } from '../../test-support/api.ts'
import { TestClock } from '../../test-support/clock.ts'
import { givenAccount, useDatabase } from '../../test-support/database.ts'
import { openTestHttp, testBaseUrl } from '../../test-support/http.ts'
import { browserHeaders, cookieOf, givenMember } from '../../test-support/people.ts'
import { authenticator } from '../access/authenticator.ts'
import { signInRoutes } from './routes.ts'
import { signInStore } from './store.ts'
import { codeAt, stepAt } from './totp.ts'

const database = useDatabase()
const password = 'correct horse battery'
let passwordHash: string

beforeAll(async () => {
  passwordHash = await hash(password)
})

async function setUp() {
  const { db } = database
  const clock = new TestClock(Date.now())
  const authenticate = authenticator(db, clock)
  const options = { ...apiDeps(db), store: signInStore(db), clock, authenticate, baseUrl: () => testBaseUrl }
  const app = await openTestHttp(db, (http) => signInRoutes(http, options), { authenticate, clock })
  const person = await givenMember(db, await givenAccount(db), 'READ_ONLY')
  await db.pool.query('UPDATE users SET password_hash = $2 WHERE id = $1', [person.userId, passwordHash])
  const ask = (method: 'POST' | 'PUT', url: string, payload: object, headers = person.headers) =>
    app.inject({ method, url, payload, headers })
  const signIn = (code?: string) =>
    ask('POST', '/session', { email: person.email, password, ...(code !== undefined && { code }) }, browserHeaders())
  return { app, clock, person, ask, signIn }
}

/** Sets up the factor. `code` is what the authenticator shows now. */
async function withFactor() {
  const it = await setUp()
  const draft = await it.ask('POST', '/session/totp', { currentPassword: password })
  const { secret } = draft.json<{ secret: string }>()
  const code = () => codeAt(fromBase32(secret), stepAt(it.clock.now()))
  const confirmed = await it.ask('PUT', '/session/totp', { code: code() })
  const { recoveryCodes } = confirmed.json<{ recoveryCodes: string[] }>()
  await it.clock.advance(30_000)
  return { ...it, secret, code, recoveryCodes }
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'))
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

describe('a second factor', () => {
  test('is set up with the password, shown as an address for authenticators, and asked for once a code confirmed it', async () => {
    const { ask, signIn, clock, person } = await setUp()
    expect((await ask('POST', '/session/totp', { currentPassword: 'wrong' })).statusCode).toBe(400)
    expect((await ask('PUT', '/session/totp', { code: '123456' })).statusCode).toBe(409)
    const { secret, uri } = (await ask('POST', '/session/totp', { currentPassword: password })).json<{
      secret: string
      uri: string
    }>()
    expect(uri).toMatch(/^otpauth:\/\/totp\//)
    expect(new URL(uri).searchParams.get('secret')).toBe(secret)
    expect((await signIn()).statusCode).toBe(200)
    expect((await ask('PUT', '/session/totp', { code: 'wrong' })).statusCode).toBe(400)
    const code = codeAt(fromBase32(secret), stepAt(clock.now()))
    const confirmed = await ask('PUT', '/session/totp', { code })
    expect(confirmed.json<{ recoveryCodes: string[] }>().recoveryCodes).toHaveLength(10)
    expect((await ask('POST', '/session/totp', { currentPassword: password })).statusCode).toBe(409)
    const without = await signIn()
    expect([without.statusCode, without.json()]).toMatchObject([401, { validation: { keys: ['code'] } }])
    expect(without.headers['set-cookie']).toBeUndefined()
    const { rows } = await database.db.pool.query<{ all: string }>(
      `SELECT u::text || (SELECT string_agg(r::text, '') FROM recovery_codes r WHERE r.user_id = u.id)
         || (SELECT string_agg(l::text, '') FROM audit_log l WHERE l.resource_id = u.id::text) AS all
       FROM users u WHERE id = $1`,
      [person.userId],
    )
    expect(rows[0]?.all).toContain('secondFactor')
    expect(rows[0]?.all).not.toContain(secret)
    for (const one of confirmed.json<{ recoveryCodes: string[] }>().recoveryCodes)
      expect(rows[0]?.all).not.toContain(one.replaceAll('-', ''))
  })

  test('lets in with its code, once: the same code is refused, and so is the one that confirmed it', async () => {
    const { signIn, code, clock } = await withFactor()
    const now = code()
    const answer = await signIn(`${now.slice(0, 3)} ${now.slice(3)}`)
    expect(answer.statusCode).toBe(200)
    expect(cookieOf(answer)).toContain('vedette_session=')
    expect((await signIn(now)).statusCode).toBe(401)
    await clock.advance(30_000)
    expect((await signIn(code())).statusCode).toBe(200)
  })

  test('lets in one of two who send the same code at once', async () => {
    const { signIn, code } = await withFactor()
    const answers = await Promise.all([signIn(code()), signIn(code())])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 401])
  })

  test('is stopped after five wrong codes, also with the right one, and goes on later', async () => {
    const { signIn, code, clock } = await withFactor()
    for (let n = 0; n < 5; n++) expect((await signIn('000000')).statusCode).toBe(401)
    expect((await signIn(code())).statusCode).toBe(429)
    await clock.advance(15 * 60_000 + 1)
    expect((await signIn(code())).statusCode).toBe(200)
  })

  test('does not say that the password is right to whom it is wrong', async () => {
    const { app, person, code } = await withFactor()
    const answer = await app.inject({
      method: 'POST',
      url: '/session',
      headers: browserHeaders(),
      payload: { email: person.email, password: 'wrong', code: code() },
    })
    expect(answer.json()).toEqual(
      expect.objectContaining({ statusCode: 401, message: 'The address or the password is wrong.' }),
    )
  })

  test('is taken away with password and code', async () => {
    const { ask, signIn, code } = await withFactor()
    const remove = (payload: object) => ask('POST', '/session/totp/remove', payload)
    expect((await remove({ code: code(), currentPassword: 'wrong' })).statusCode).toBe(400)
    expect((await remove({ code: '000000', currentPassword: password })).statusCode).toBe(400)
    expect((await remove({ code: code(), currentPassword: password })).statusCode).toBe(204)
    expect((await signIn()).statusCode).toBe(200)
    expect((await remove({ code: code(), currentPassword: password })).statusCode).toBe(409)
  })
})

describe('a recovery code', () => {
  test('lets in once, however it is written', async () => {
    const { signIn, recoveryCodes } = await withFactor()
    const [first = '', second = ''] = recoveryCodes
    expect((await signIn(first.toLowerCase())).statusCode).toBe(200)
    expect((await signIn(first)).statusCode).toBe(401)
    expect((await signIn(second.replaceAll('-', ' '))).statusCode).toBe(200)
  })

  test('is worth nothing once there are new ones', async () => {
    const { ask, signIn, code, clock, recoveryCodes } = await withFactor()
    const anew = await ask('POST', '/session/totp/recovery-codes', { code: code() })
    await clock.advance(30_000)
    expect((await signIn(recoveryCodes[0])).statusCode).toBe(401)
    expect((await signIn(anew.json<{ recoveryCodes: string[] }>().recoveryCodes[0])).statusCode).toBe(200)
  })
})

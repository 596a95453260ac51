import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { apiDeps } from '../../../test-support/api.ts'
import { TestClock } from '../../../test-support/clock.ts'
import { givenAccount, useDatabase } from '../../../test-support/database.ts'
import { openTestHttp, testBaseUrl } from '../../../test-support/http.ts'
import { startIdentityProvider, testClient, type IdentityProvider } from '../../../test-support/identity-provider.ts'
import { browserHeaders, givenMember } from '../../../test-support/people.ts'
import { authenticator } from '../../access/authenticator.ts'
import { signInRoutes } from '../routes.ts'
import { signInStore } from '../store.ts'
import type { OidcSettings } from './provider.ts'

const database = useDatabase()
let provider: IdentityProvider

beforeAll(async () => {
  provider = await startIdentityProvider()
})
afterAll(() => provider.close())
beforeEach(() => {
  provider.claims = { sub: randomUUID(), email: `${randomUUID()}@example.test`, email_verified: true, name: 'Ann' }
  provider.signsWrongly = false
})

async function setUp(more: Partial<OidcSettings> = {}) {
  const { db } = database
  const clock = new TestClock(Date.now())
  const authenticate = authenticator(db, clock)
  const accountId = await givenAccount(db)
  const oidc: OidcSettings = {
    issuer: provider.issuer,
    ...testClient,
    domains: undefined,
    role: 'write',
    accountId,
    egress: () => ({ privateTargets: true, deniedTargets: [] }),
    ...more,
  }
  const options = { ...apiDeps(db), store: signInStore(db), clock, authenticate, baseUrl: () => testBaseUrl, oidc }
  const app = await openTestHttp(db, (http) => signInRoutes(http, options), { authenticate, clock })
  const get = (url: string, cookie?: string) => app.inject({ url, headers: browserHeaders(cookie) })

  /** Goes to the provider, which lets in at once, and comes to the address it sends to. */
  async function go(session?: string) {
    const leaving = await get(`/session/oidc${session === undefined ? '' : '?connect=1'}`, session)
    const answer = await fetch(String(leaving.headers.location), { redirect: 'manual' })
    const back = new URL(String(answer.headers.get('location')))
    return { leaving, back, attempt: cookiesOf(leaving)['vedette_oidc'] ?? '' }
  }
  const comeBack = (back: URL, attempt: string, session?: string) =>
    get(`${back.pathname}${back.search}`, [`vedette_oidc=${attempt}`, session].filter(Boolean).join('; '))
  const signIn = async () => {
    const { back, attempt } = await go()
    return comeBack(back, attempt)
  }
  const whoAmI = async (answer: Answer) =>
    (await get('/session', `vedette_session=${cookiesOf(answer)['vedette_session']}`)).json<Record<string, unknown>>()
  return { accountId, clock, get, go, comeBack, signIn, whoAmI }
}

type Answer = { headers: Record<string, unknown> }

function cookiesOf({ headers }: Answer): Record<string, string> {
  const set = [headers['set-cookie']].flat().filter((one) => typeof one === 'string')
  return Object.fromEntries(set.map((one) => /^([^=]+)=([^;]*)/.exec(one)?.slice(1) ?? []) as [string, string][])
}
const opensNothing = (answer: Answer) => expect(cookiesOf(answer)['vedette_session']).toBeUndefined()

describe('signing in with an identity provider', () => {
  test('leaves with state, nonce and a challenge, and brings somebody new into the account with the set role', async () => {
    const { go, comeBack, whoAmI, accountId } = await setUp()
    const { leaving, back, attempt } = await go()
    const asked = new URL(String(leaving.headers.location)).searchParams
    expect(asked.get('code_challenge_method')).toBe('S256')
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)?.length).toBeGreaterThan(20)
    expect(String(leaving.headers['set-cookie'])).toMatch(/HttpOnly.*SameSite=Lax/)
    expect(attempt).not.toContain(asked.get('state'))
    const answer = await comeBack(back, attempt)
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/'])
    expect(await whoAmI(answer)).toMatchObject({
      email: provider.claims['email'],
      name: 'Ann',
      role: 'write',
      accountId,
      hasPassword: false,
    })
  })

  test('knows a person by the subject, whatever address they have by then', async () => {
    const { signIn, whoAmI } = await setUp()
    const first = await whoAmI(await signIn())
    provider.claims = { ...provider.claims, email: `${randomUUID()}@example.test` }
    expect((await whoAmI(await signIn()))['email']).toBe(first['email'])
  })

  test('lets in a member who has neither password nor second factor', async () => {
    const { signIn, whoAmI } = await setUp({ role: undefined })
    const home = await givenAccount(database.db)
    const { email } = await givenMember(database.db, home, 'READ_ONLY')
    provider.claims = { ...provider.claims, email: email.toUpperCase() }
    expect(await whoAmI(await signIn())).toMatchObject({ email, accountId: home, role: 'read' })
  })

  test('does not let in whoever only has the address of a member with a password, until the member connects it', async () => {
    const { signIn, go, comeBack, whoAmI } = await setUp()
    const home = await givenAccount(database.db)
    const member = await givenMember(database.db, home, 'ADMIN')
    await database.db.pool.query(`UPDATE users SET password_hash = 'x' WHERE id = $1`, [member.userId])
    provider.claims = { ...provider.claims, email: member.email }
    const refused = await signIn()
    expect(refused.headers.location).toBe('/sign-in?problem=connect')
    opensNothing(refused)
    const session = String(member.headers['cookie'])
    const { back, attempt } = await go(session)
    expect((await comeBack(back, attempt)).headers.location).toBe('/sign-in?problem=late')
    const again = await go(session)
    expect((await comeBack(again.back, again.attempt, session)).headers.location).toBe('/settings')
    expect(await whoAmI(await signIn())).toMatchObject({ email: member.email, accountId: home })
  })

  test('connects nobody else’s identity', async () => {
    const { go, comeBack } = await setUp()
    const member = await givenMember(database.db, await givenAccount(database.db), 'ADMIN')
    const session = String(member.headers['cookie'])
    const { back, attempt } = await go(session)
    expect((await comeBack(back, attempt, session)).headers.location).toBe('/sign-in?problem=connect')
  })
})

describe('nobody is let in', () => {
  test.each([
    ['whose address the provider has not verified', { email_verified: false }, 'email'],
    ['whose address is not there', { email: undefined }, 'email'],
    ['of another domain', { email: 'ann@example.test.evil.example' }, 'domain'],
  ])('%s', async (_who, claims, problem) => {
    const { signIn } = await setUp({ domains: ['example.test'] })
    provider.claims = { ...provider.claims, ...claims }
    const answer = await signIn()
    expect(answer.headers.location).toBe(`/sign-in?problem=${problem}`)
    opensNothing(answer)
  })

  test('whom only the provider knows, unless a role is set for them', async () => {
    const { signIn } = await setUp({ role: undefined })
    expect((await signIn()).headers.location).toBe('/sign-in?problem=unknown')
  })

  test('with a token that somebody else signed, or that is for another attempt', async () => {
    const { signIn } = await setUp()
    provider.signsWrongly = true
    expect((await signIn()).headers.location).toBe('/sign-in?problem=provider')
    provider.signsWrongly = false
    provider.claims = { ...provider.claims, nonce: 'another' }
    expect((await signIn()).headers.location).toBe('/sign-in?problem=provider')
  })

  test('with another state, the code of another browser, a cookie of their own making, none, or one that is old', async () => {
    const { go, comeBack, get, clock } = await setUp()
    const mine = await go()
    const theirs = await go()
    const wrongState = new URL(mine.back)
    wrongState.searchParams.set('state', 'guessed')
    expect((await comeBack(wrongState, mine.attempt)).headers.location).toBe('/sign-in?problem=provider')
    const injected = new URL(mine.back)
    injected.searchParams.set('code', theirs.back.searchParams.get('code') ?? '')
    expect((await comeBack(injected, mine.attempt)).headers.location).toBe('/sign-in?problem=provider')
    expect(provider.refusals).toContain(theirs.back.searchParams.get('code'))
    expect((await comeBack(mine.back, 'bWFkZSB1cA')).headers.location).toBe('/sign-in?problem=late')
    expect((await get(`${mine.back.pathname}${mine.back.search}`)).headers.location).toBe('/sign-in?problem=late')
    const late = await go()
    await clock.advance(10 * 60_000)
    expect((await comeBack(late.back, late.attempt)).headers.location).toBe('/sign-in?problem=late')
  })

  test('while the provider is at an address that may not be reached', async () => {
    const port = Number(new URL(provider.issuer).port)
    const { get } = await setUp({
      egress: () => ({ privateTargets: true, deniedTargets: [{ address: '127.0.0.1', port }] }),
    })
    expect((await get('/session/oidc')).headers.location).toBe('/sign-in?problem=provider')
  })
})

test('the sign-in page learns whether there is a provider', async () => {
  const { get } = await setUp()
  expect((await get('/session/ways')).json()).toEqual({ oidc: true })
})

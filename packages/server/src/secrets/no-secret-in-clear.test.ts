import { createPrivateKey, randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestAuthority } from '../../../checks/test-support/certificates.ts'
import { apiDeps, callWith, keysOf, type TestApi } from '../../test-support/api.ts'
import { TestClock } from '../../test-support/clock.ts'
import { givenAccount, useEmptiedDatabase } from '../../test-support/database.ts'
import { startIdentityProvider, testClient } from '../../test-support/identity-provider.ts'
import { browserHeaders, cookieOf } from '../../test-support/people.ts'
import { givenPlane, TestAgent } from '../../test-support/plane.ts'
import { reportOf } from '../../test-support/reports.ts'
import { givenWholeApp } from '../../test-support/whole-app.ts'
import { writer } from '../access/write.ts'
import { codeAt, stepAt } from '../sign-in/totp.ts'

const database = useEmptiedDatabase()

/** What must be stored nowhere in the clear, by what it is. */
const secrets = new Map<string, string>()

/** A secret of its own that can be found again. */
function secret(what: string): string {
  const value = `mark_${randomBytes(12).toString('hex')}`
  secrets.set(what, value)
  return value
}

/** The same for a secret that the server made. */
function made(what: string, value: unknown): string {
  expect([what, typeof value, String(value).length >= 8]).toEqual([what, 'string', true])
  secrets.set(what, String(value))
  return String(value)
}

const name = 'a name that is no secret'

/** Forms in which a text may stand in a dump. */
const formsOf = (text: string): string[] => [
  text,
  Buffer.from(text).toString('hex'),
  Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -1),
  Buffer.from(text).toString('base64url').slice(0, -1),
  encodeURIComponent(text),
]

let call: TestApi['call']
let logged = ''
let dump: ReadonlyMap<string, string>
let job = ''
let exported = ''
let end: () => Promise<void>

/** Every row of every table, as text: also of tables that do not exist yet when this is written. */
async function dumped(): Promise<Map<string, string>> {
  const { rows } = await database.db.pool.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast') AND c.relkind IN ('r', 'p', 'm', 'u')
       AND NOT c.relispartition ORDER BY 1`,
  )
  const tables = new Map<string, string>()
  for (const { name } of rows) {
    const found = await database.db.pool.query<{ text: string | null }>(
      `SELECT string_agg(t::text, E'\\n') AS text FROM ${name} t`,
    )
    tables.set(name, found.rows[0]?.text ?? '')
  }
  return tables
}

async function bodyOf(...request: Parameters<typeof call>): Promise<Record<string, unknown>> {
  const answer = await call(...request)
  expect([request[0], request[1], answer.status < 300, answer.text]).toEqual([
    request[0],
    request[1],
    true,
    answer.text,
  ])
  return answer.body
}

async function givenVariables(): Promise<void> {
  const create = (key: string, value: string) =>
    bodyOf('POST', '/v1/variables', { body: { key, value, locked: true, secret: true } })
  await create('TOKEN', secret('secret variable'))
  await bodyOf('PUT', '/v1/variables/TOKEN', { body: { value: secret('secret variable, changed'), secret: true } })
  await create('GONE', secret('secret variable, deleted'))
  await bodyOf('DELETE', '/v1/variables/GONE')
}

const basicAuth = (password: string) => ({ username: 'ann', password })

async function givenGroup(): Promise<unknown> {
  const variable = (value: string) => [{ key: 'GROUP_TOKEN', value, locked: true, secret: true }]
  const body = {
    name,
    apiCheckDefaults: { basicAuth: basicAuth(secret('basic auth of a group')) },
    environmentVariables: variable(secret('variable of a group')),
  }
  const { id } = await bodyOf('POST', '/v2/check-groups', { body })
  const environmentVariables = variable(secret('variable of a group, changed'))
  await bodyOf('PUT', `/v2/check-groups/${String(id)}`, { body: { name, environmentVariables } })
  return id
}

async function givenChecks(groupId: unknown): Promise<string> {
  const request = { url: 'http://shop.example/', headers: [{ key: 'x-token', value: '{{TOKEN}}', locked: true }] }
  const variables = (value: string) => [{ key: 'OWN', value, locked: true, secret: true }]
  const create = async (what: string) =>
    String(
      (
        await bodyOf('POST', '/v1/checks/api', {
          body: {
            name,
            groupId,
            frequency: 1440,
            locations: ['eu-west-1'],
            request: { ...request, basicAuth: basicAuth(secret(`basic auth of ${what}`)) },
            environmentVariables: variables(secret(`variable of ${what}`)),
          },
        })
      )['id'],
    )
  const [id, gone] = [await create('a check'), await create('a deleted check')]
  const changed = { ...request, basicAuth: basicAuth(secret('basic auth of a check, changed')) }
  await bodyOf('PUT', `/v1/checks/api/${id}`, { body: { request: changed } })
  await bodyOf('DELETE', `/v1/checks/${gone}`)
  const { undoToken } = await bodyOf('POST', '/v1/checks/bulk', { body: { ids: [id], change: { addTags: ['night'] } } })
  made('token that takes a change of many checks back', undoToken)
  made('token of a trigger', (await bodyOf('POST', `/v1/triggers/checks/${id}`))['token'])
  await call('POST', '/v1/checks/api/dry-run', {
    body: { name: 'x', request: { ...request, basicAuth: basicAuth(secret('basic auth of a dry run that fails')) } },
  })
  await call('POST', '/v1/checks/api', {
    body: { name: '', request: { ...request, basicAuth: basicAuth(secret('basic auth of a check that is refused')) } },
  })
  return id
}

async function givenCertificate(): Promise<void> {
  const authority = createTestAuthority()
  try {
    const { cert, key } = authority.leaf()
    const passphrase = secret('passphrase of a client certificate')
    const encrypted = createPrivateKey(key)
      .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase })
      .toString()
    made('key of a client certificate', key.split('\n')[1])
    await bodyOf('POST', '/v1/client-certificates', {
      body: { host: 'shop.example', cert, key: encrypted, passphrase },
    })
    await bodyOf('POST', '/v1/client-certificates', { body: { host: 'till.example', cert, key } })
  } finally {
    authority.remove()
  }
}

async function givenChannel(): Promise<void> {
  const config = (name: string) => ({
    name,
    url: 'http://127.0.0.1:9/hook',
    webhookSecret: secret(`signing secret of ${name}`),
    headers: [{ key: 'authorization', value: secret(`header of ${name}`), locked: true }],
    queryParameters: [{ key: 'token', value: secret(`parameter of ${name}`), locked: true }],
  })
  const { id } = await bodyOf('POST', '/v1/alert-channels', { body: { type: 'WEBHOOK', config: config('a channel') } })
  const path = `/v1/alert-channels/${String(id)}`
  await bodyOf('PUT', path, { body: { type: 'WEBHOOK', config: config('a changed channel') } })
  const other = { type: 'WEBHOOK', config: config('a deleted channel') }
  await bodyOf(
    'DELETE',
    `/v1/alert-channels/${String((await bodyOf('POST', '/v1/alert-channels', { body: other }))['id'])}`,
  )
}

async function givenKeys(): Promise<void> {
  const proxyUrl = `http://ann:${secret('password of a proxy')}@proxy.example:3128`
  const location = await bodyOf('POST', '/v1/private-locations', {
    body: { name: 'Office', slugName: 'office', proxyUrl },
  })
  made('key of a private location', (location['keys'] as { rawKey: string }[])[0]?.rawKey)
  const more = await bodyOf('POST', `/v1/private-locations/${String(location['id'])}/keys`)
  made('second key of a private location', more['rawKey'])
  made('API key', (await bodyOf('POST', '/v1/api-keys', { body: { name: 'CI', role: 'run' } }))['rawKey'])
}

async function importFiles(): Promise<void> {
  const checks = [{ name: 'of a file', type: 'API', request: { url: 'http://x.example', basicAuth: basicAuth('') } }]
  const named = checks.map((one) => ({
    ...one,
    request: { ...one.request, basicAuth: { username: 'ann', password: { $env: 'OF_FILE' } } },
  }))
  await bodyOf('POST', '/v1/import', { body: { checks: named, secrets: { OF_FILE: secret('secret of an import') } } })
  const refused = {
    checks: [{ ...named[0], frequency: 7 }],
    secrets: { OF_FILE: secret('secret of a refused import') },
  }
  expect((await call('POST', '/v1/import', { body: refused })).status).toBe(400)
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'))
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Somebody joins with a password and a second factor; somebody else has not come yet. */
async function givenPeople(app: Awaited<ReturnType<typeof givenWholeApp>>, clock: TestClock): Promise<void> {
  const invite = async (email: string) => {
    const { link } = await bodyOf('POST', '/v1/accounts/me/members', { body: { email, role: 'READ_ONLY' } })
    return made(`token of the invitation of ${email}`, new URL(String(link)).searchParams.get('token'))
  }
  await invite('bob@example.test')
  const token = await invite('ann@example.test')
  const password = secret('password of a person')
  const ask = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object, cookie?: string) =>
    app.inject({ method, url, ...(payload && { payload }), headers: browserHeaders(cookie) })
  const joined = await ask('POST', '/session/join', { token, name: 'Ann', password })
  const cookie = cookieOf(joined)
  made('token of a session', cookie.split('=')[1])
  const draft = await ask('POST', '/session/totp', { currentPassword: password }, cookie)
  const totp = made('secret of a second factor', draft.json<{ secret: string }>().secret)
  const code = codeAt(fromBase32(totp), stepAt(clock.now()))
  const confirmed = await ask('PUT', '/session/totp', { code }, cookie)
  for (const [nr, one] of confirmed.json<{ recoveryCodes: string[] }>().recoveryCodes.entries())
    made(`recovery code ${nr}`, one.replaceAll('-', ''))
  secrets.set('secret of a second factor, as bytes', fromBase32(totp).toString('latin1'))
  expect(
    (await ask('POST', '/session', { email: 'ann@example.test', password: secret('wrong password') })).statusCode,
  ).toBe(401)
  const leaving = await ask('GET', '/session/oidc')
  made('attempt to sign in at the identity provider', cookieOf(leaving).split('=')[1])
  const asked = new URL(String(leaving.headers.location)).searchParams
  made('state of that attempt', asked.get('state'))
  made('nonce of that attempt', asked.get('nonce'))
}

async function run(plane: Awaited<ReturnType<typeof givenPlane>>, checkId: string): Promise<string> {
  const agent = new TestAgent(plane, await plane.agents.keys.mintBuiltin('test'))
  await agent.hello()
  await plane.dispatch.checkChanged(checkId)
  await plane.dispatch.requestRun(checkId, 'SCHEDULE_NOW')
  await plane.clock.advance(0)
  const jobs = await agent.lease()
  await agent.report(plane.clock, ...jobs.map((one) => reportOf(one)))
  return JSON.stringify(jobs)
}

beforeAll(async () => {
  const { db } = database
  const clock = new TestClock(Date.now())
  const plane = await givenPlane(db, clock)
  const provider = await startIdentityProvider()
  secrets.set('secret of the client at the identity provider', testClient.clientSecret)
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      logged += chunk.toString()
      done()
    },
  })
  const logger = pino({ level: 'trace' }, sink)
  const accountId = await givenAccount(db)
  const failing = () => Promise.reject(new Error('The schedule is away.'))
  const app = await givenWholeApp(db, {
    clock,
    logger,
    write: writer({ db, clock, log: logger }),
    hooks: { ...apiDeps(db).hooks, checkChanged: failing, dryRun: failing },
    oidc: {
      issuer: provider.issuer,
      ...testClient,
      domains: undefined,
      role: 'write',
      accountId,
      egress: () => ({ privateTargets: true, deniedTargets: [] }),
    },
  })
  end = async () => {
    await plane.stop()
    await app.close()
    await provider.close()
  }
  const { admin } = await keysOf(db, accountId)
  call = callWith(app, made('API key of an admin', admin))
  await givenVariables()
  const checkId = await givenChecks(await givenGroup())
  await givenCertificate()
  await givenChannel()
  await givenKeys()
  await importFiles()
  await givenPeople(app, clock)
  job = await run(plane, checkId)
  exported = (await call('GET', '/v1/export')).text
  dump = await dumped()
}, 60_000)
afterAll(() => end())

/** The places where a text stands, in the clear or encoded. */
const placesOf = (text: string): string[] =>
  [...dump, ['the log', logged] as const, ['the export', exported] as const]
    .filter(([, whole]) => formsOf(text).some((form) => whole.includes(form)))
    .map(([place]) => place)

describe('a dump of the whole database, and all that was logged', () => {
  test('is one of what was stored, run and exported', () => {
    for (const what of ['secret variable, changed', 'variable of a check', 'basic auth of a check, changed'])
      expect([what, job.includes(secrets.get(what) ?? 'none')]).toEqual([what, true])
    const places = ['audit_log', 'check_groups', 'check_revisions', 'checks', 'the export']
    expect(placesOf(name)).toEqual(expect.arrayContaining(places))
    expect(placesOf('The schedule is away.')).toEqual(['the log'])
    for (const table of [
      'bulk_undos',
      'check_triggers',
      'invites',
      'recovery_codes',
      'sign_in_attempts',
      'web_sessions',
    ])
      expect([table, dump.get(table)?.length]).not.toEqual([table, 0])
  })

  test('holds no secret in the clear, nor encoded', () => {
    expect(secrets.size).toBeGreaterThan(40)
    expect([...secrets].flatMap(([what, value]) => placesOf(value).map((place) => `${what}: ${place}`))).toEqual([])
  })
})

import { randomUUID } from 'node:crypto'
import { roles, type Role } from '@vedette/wire'
import { beforeAll, describe, expect, test } from 'vitest'
import { givenAccount, useDatabase } from '../test-support/database.ts'
import type { App } from './http/build-http.ts'
import type { RouteEntry } from './http/callers/principal.ts'
import { givenMember } from '../test-support/people.ts'
import { givenKey } from '../test-support/http.ts'
import { checkBodies } from '../test-support/check-bodies.ts'
import { keysOf } from '../test-support/api.ts'
import { givenThings, type Things } from '../test-support/route-things.ts'
import { givenWholeApp } from '../test-support/whole-app.ts'

const database = useDatabase()
let app: App
let keys: Record<Role, string>
let strangers: Record<Role, string>
let strangeAccount: string
let things: Things

/** Valid bodies of writes, so that a refusal is due to the caller and not to the body. */
const bodies: Record<string, unknown> = {
  'PUT /v1/checks/:id': { name: 'Taken over' },
  'PUT /v1/checks/:id/mute': { until: null },
  ...Object.fromEntries(Object.keys(checkBodies).map((path) => [`PUT /v1/checks/${path}/:id`, { name: 'Taken over' }])),
  'PUT /v1/check-groups/:id': { name: 'Taken over' },
  'PUT /v2/check-groups/:id': { name: 'Taken over' },
  'PUT /v1/variables/:key': { value: 'Taken over' },
  'PUT /v1/private-locations/:id': { name: 'Taken over' },
  'PUT /v1/snippets/:id': { name: 'Taken over', script: 'taken()' },
  'PUT /v1/alert-channels/:id': { type: 'EMAIL', config: { address: 'taken@example.test' } },
  'PUT /v1/alert-channels/:id/subscriptions': { checkId: randomUUID(), activated: true },
  'POST /v1/accounts/:accountId/members': { email: 'taken@example.test', role: 'ADMIN' },
  'PATCH /v1/accounts/me/members/:userId': { role: 'READ_ONLY' },
  'PATCH /v1/accounts/:accountId/members/:userId': { role: 'READ_ONLY' },
}

const neededQueries: Record<string, string> = { '/v1/private-locations/:id/metrics': '?from=0&to=1' }

const call = (route: RouteEntry, url: string, headers: Record<string, string | undefined>) =>
  app.inject({
    method: route.method as 'GET',
    url,
    headers,
    ...(bodies[nameOf(route)] !== undefined && { payload: bodies[nameOf(route)] as object }),
  })
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const nameOf = ({ method, url }: RouteEntry) => `${method} ${url}`
const somewhere = (url: string) => url.replaceAll(/:\w+/g, randomUUID())

/** Routes that require a key or session of the management API. */
const guarded = () =>
  app.routeTable.filter(({ method, access }) => method !== 'HEAD' && access !== 'public' && access !== 'agent')

beforeAll(async () => {
  const { db } = database
  app = await givenWholeApp(db)
  const account = await givenAccount(db)
  strangeAccount = await givenAccount(db)
  keys = await keysOf(db, account)
  strangers = await keysOf(db, strangeAccount)
  things = await givenThings(app, db, { account, key: keys.admin })
  // Keys that have signed in once are not throttled for the failed attempts of the tests below.
  for (const key of [...Object.values(keys), ...Object.values(strangers)])
    await app.inject({ url: '/v1/accounts/me', headers: bearer(key) })
})

/** Everything the first account owns, to verify that it is unchanged. */
async function belongings(): Promise<unknown> {
  const { rows } = await database.db.pool.query(
    `SELECT (SELECT json_agg(c ORDER BY c.id) FROM checks c WHERE c.account_id = a.id) AS checks,
       (SELECT json_agg(v) FROM variables v WHERE v.account_id = a.id) AS variables,
       (SELECT json_agg(p) FROM private_locations p WHERE p.account_id = a.id) AS locations,
       (SELECT json_agg(l) FROM agent_keys l WHERE l.account_id = a.id) AS location_keys,
       (SELECT json_agg(s) FROM snippets s WHERE s.account_id = a.id) AS snippets,
       (SELECT json_agg(cc) FROM client_certificates cc WHERE cc.account_id = a.id) AS certificates,
       (SELECT json_agg(m) FROM memberships m WHERE m.account_id = a.id) AS members,
       (SELECT json_agg(i) FROM invites i WHERE i.account_id = a.id) AS invites,
       (SELECT json_agg(w) FROM saved_views w WHERE w.account_id = a.id) AS views,
       (SELECT json_agg(g) FROM check_groups g WHERE g.account_id = a.id) AS groups,
       (SELECT json_agg(n ORDER BY n.id) FROM alert_channels n WHERE n.account_id = a.id) AS channels,
       (SELECT json_agg(k ORDER BY k.id) FROM api_keys k WHERE k.account_id = a.id) AS keys, a::text
     FROM accounts a JOIN api_keys owner ON owner.account_id = a.id WHERE owner.name = 'Mine'`,
  )
  return rows
}

describe('every route', () => {
  test('is in the list with the access it declares', () => {
    const names = new Set(app.routeTable.map(nameOf))
    for (const expected of [
      'POST /v1/checks/api',
      'PUT /v1/checks/tcp/:id',
      'GET /v1/check-statuses',
      'POST /agent/v1/lease',
    ]) {
      expect(names).toContain(expected)
    }
    const open = app.routeTable
      .filter(({ access, method }) => access === 'public' && method !== 'HEAD')
      .map(({ url }) => url)
    const known =
      /^\/(docs|openapi\.json|-\/(liveness|readiness)|metrics|v1\/(locations|runtimes(\/:id)?|static-ip(v6)?s(-by-region|\.txt)?)|session|sign-in|events\/:token|(checks\/:checkId|check-groups\/:groupId)\/trigger\/:token|favicon\.svg|parts\.json|assets\/.*)(\/|$)/
    expect(open.filter((url) => !known.test(url))).toEqual([])
  })

  test('refuses no key, an unknown key, a key in the wrong place, a revoked key and one that has expired', async () => {
    const revoked = await givenKey(database.db, strangeAccount, 'admin')
    await database.db.pool.query('UPDATE api_keys SET revoked_at = now() WHERE masked = $1', [`…${revoked.slice(-4)}`])
    const expired = await givenKey(database.db, strangeAccount, 'admin')
    await database.db.pool.query(`UPDATE api_keys SET expires_at = now() - interval '1 s' WHERE masked = $1`, [
      `…${expired.slice(-4)}`,
    ])
    const nobodies = [
      {},
      bearer('vdu_nobody'),
      { 'x-api-key': keys.admin },
      { authorization: keys.admin },
      bearer(revoked),
      bearer(expired),
    ]
    for (const route of guarded()) {
      for (const headers of nobodies) {
        const { statusCode } = await call(route, somewhere(route.url), headers)
        expect([401, 429], nameOf(route)).toContain(statusCode)
      }
    }
  })

  test('of agents refuses everybody without a location key, admins too', async () => {
    const ofAgents = app.routeTable.filter(({ access, method }) => access === 'agent' && method !== 'HEAD')
    expect(ofAgents.length).toBeGreaterThan(4)
    for (const route of ofAgents) {
      for (const headers of [{}, bearer('vdl_nobody'), bearer(keys.admin)]) {
        const { statusCode } = await call(route, route.url, headers)
        expect(statusCode, nameOf(route)).toBe(401)
      }
    }
  })

  test('refuses every weaker role', async () => {
    for (const route of guarded()) {
      const needed = route.access === 'operator' ? 'admin' : (route.access as Role)
      for (const weaker of roles.slice(0, roles.indexOf(needed))) {
        const { statusCode } = await call(route, somewhere(route.url), bearer(keys[weaker]))
        expect(statusCode, `${nameOf(route)} as ${weaker}`).toBe(403)
      }
    }
  })

  test('refuses everybody of a suspended account, except that people may change to another and sign out', async () => {
    const calm = await givenWholeApp(database.db)
    const ask = (route: RouteEntry, headers: Record<string, string>) =>
      calm.inject({ method: route.method as 'GET', url: somewhere(route.url), headers })
    const account = await givenAccount(database.db)
    const suspendedKeys = Object.values(await keysOf(database.db, account))
    await database.db.pool.query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [account])
    const open: string[] = []
    for (const route of guarded()) {
      for (const key of suspendedKeys) {
        const { statusCode } = await ask(route, bearer(key))
        expect(statusCode, nameOf(route)).toBe(403)
      }
      const { headers } = await givenMember(database.db, account, 'OWNER')
      if ((await ask(route, headers)).statusCode !== 403) open.push(nameOf(route))
    }
    expect(open.toSorted()).toEqual(['DELETE /session', 'GET /session', 'PUT /session/account'])
  })

  test('refuses a key that names another account', async () => {
    for (const route of guarded()) {
      const headers = { ...bearer(strangers.admin), 'x-service-account': randomUUID() }
      expect((await call(route, somewhere(route.url), headers)).statusCode, nameOf(route)).toBe(403)
    }
  })

  test('that names a thing answers 404 to other accounts and leaves the thing alone', async () => {
    const before = await belongings()
    for (const route of guarded().filter(({ url, access }) => url.includes(':') && access !== 'operator')) {
      const url = things.get(route.url)
      if (url === undefined) throw new Error(`Tell this test of a thing at ${route.url}`)
      const { statusCode } = await call(route, `${url}${neededQueries[route.url] ?? ''}`, bearer(strangers.admin))
      expect(statusCode, nameOf(route)).toBe(404)
    }
    expect(await belongings()).toEqual(before)
  })

  test('that lists shows other accounts nothing', async () => {
    const lists = guarded().filter(({ url, method }) => method === 'GET' && !url.includes(':') && url !== '/v1/live')
    for (const route of lists) {
      const response = await call(route, route.url, bearer(strangers.admin))
      expect(response.body, nameOf(route)).not.toMatch(/Mine|mine@example|shop\.example/)
    }
  })

  test('of an operator refuses admins of other accounts', async () => {
    for (const route of guarded().filter(({ access }) => access === 'operator')) {
      expect((await call(route, somewhere(route.url), bearer(strangers.admin))).statusCode, nameOf(route)).toBe(403)
    }
  })
})

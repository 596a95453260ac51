import { randomUUID } from 'node:crypto'
import { sampleClientCertificate } from '@vedette/wire'
import type { Database } from '../src/db/database.ts'
import type { App } from '../src/http/build-http.ts'
import { checkBodies } from './check-bodies.ts'
import { givenMember } from './people.ts'

/** Addresses of resources that an account has, by the path of the route. */
export type Things = ReadonlyMap<string, string>

interface Owner {
  account: string
  /** A key of its admin. */
  key: string
}

type Make = (url: string, payload: object) => Promise<Record<string, string>>
/** Notes addresses: paths as routes have them, with the parts that stand for ids. */
type Name = (paths: readonly string[], ids: Record<string, unknown>) => void

interface Giving {
  make: Make
  name: Name
}

/** One resource for every route that names one in its path, called "Mine" where it has a name. */
export async function givenThings(app: App, db: Database, { account, key }: Owner): Promise<Things> {
  const things = new Map<string, string>()
  const headers = { authorization: `Bearer ${key}` }
  const make: Make = async (url, payload) =>
    (await app.inject({ method: 'POST', url, headers, payload })).json<Record<string, string>>()
  const name: Name = (paths, ids) => {
    for (const path of paths)
      things.set(
        path,
        path.replaceAll(/:(\w+)/g, (_, part: string) => String(ids[part])),
      )
  }
  const giving = { make, name }
  await givenRuns(giving, await givenChecks(giving))
  await givenGroups(giving)
  await givenPlaces(giving)
  await givenChannel(db, account, giving)
  await givenPeople(db, account, giving)
  await make('/v1/variables', { key: 'MINE', value: 'mine' })
  name(['/v1/variables/:key', '/v1/variables/:key/restore'], { key: 'MINE' })
  name(['/v1/saved-views/:id'], await make('/v1/saved-views', { name: 'Mine', query: '' }))
  name(['/v1/snippets/:id'], await make('/v1/snippets', { name: 'Mine', script: 'mine()' }))
  const certificate = await make('/v1/client-certificates', sampleClientCertificate)
  name(['/v1/client-certificates/:id', '/v1/client-certificates/:id/restore'], certificate)
  return things
}

/** A check of each type. Returns the id of one that runs. */
async function givenChecks({ make, name }: Giving): Promise<string> {
  const made = new Map<string, string>()
  for (const [path, body] of Object.entries(checkBodies)) {
    const check = await make(`/v1/checks/${path}`, { name: 'Mine', ...body })
    made.set(path, String(check.id))
    name([`/v1/checks/${path}/:id`], check)
  }
  const id = made.get('api') ?? ''
  const ends = ['', '/run', '/mute', '/acknowledge', '/episodes', '/facts', '/phases', '/restore', '/history']
  name(['/v2/checks/:id', ...ends.map((end) => `/v1/checks/:id${end}`)], { id })
  const ofHeartbeats = ['availability', 'timer', 'events', 'events/:id']
  name(
    ofHeartbeats.map((end) => `/v1/checks/heartbeats/:checkId/${end}`),
    { checkId: made.get('heartbeat'), id: randomUUID() },
  )
  return id
}

async function givenRuns({ make, name }: Giving, checkId: string): Promise<void> {
  const ofResult = '/v1/check-results/:checkId/:checkResultId'
  name(
    [
      '/v1/check-statuses/:checkId',
      '/v1/check-alerts/:checkId',
      '/v1/check-results/:checkId',
      '/v2/check-results/:checkId',
      ofResult,
      `${ofResult}/assets`,
      `${ofResult}/assets/:name`,
    ],
    { checkId, checkResultId: randomUUID(), name: 'capture.pcap' },
  )
  const session = await make(`/v1/checks/${checkId}/run`, {})
  for (const version of ['v1', 'v2'])
    name(
      ['', '/completion', '/cancel'].map((end) => `/${version}/check-sessions/:checkSessionId${end}`),
      session,
    )
  await make(`/v1/triggers/checks/${checkId}`, {})
  name(['/v1/triggers/checks/:checkId'], { checkId })
}

async function givenGroups({ make, name }: Giving): Promise<void> {
  const group = await make('/v2/check-groups', { name: 'Mine' })
  const check = await make('/v1/checks/tcp', { name: 'Mine', groupId: group.id, ...checkBodies.tcp })
  for (const version of ['v1', 'v2'])
    name(
      ['', '/checks', '/checks/:checkId'].map((end) => `/${version}/check-groups/:id${end}`),
      { id: group.id, checkId: check.id },
    )
  await make(`/v1/triggers/check-groups/${String(group.id)}`, {})
  name(['/v1/triggers/check-groups/:groupId'], { groupId: group.id })
}

async function givenPlaces({ make, name }: Giving): Promise<void> {
  const location = await make('/v1/private-locations', { name: 'Mine' })
  const [key] = location.keys as unknown as { id: string }[]
  name(
    ['', '/restore', '/keys', '/keys/:keyId'].map((end) => `/v1/private-locations/:id${end}`),
    { id: location.id, keyId: key?.id },
  )
  name(['/v1/private-locations/:id/metrics', '/v1/private-locations/:id/uses'], location)
}

async function givenChannel(db: Database, account: string, { name }: Pick<Giving, 'name'>): Promise<void> {
  const { rows } = await db.pool.query<{ id: number }>(
    `INSERT INTO alert_channels (account_id, type, config, secrets, send_recovery, send_failure, send_degraded,
       ssl_expiry, ssl_expiry_threshold, auto_subscribe, version, created_at)
     VALUES ($1, 'EMAIL', '{"address":"mine@example.test"}', '{}', true, true, false, false, 30, false, 1, now()) RETURNING id`,
    [account],
  )
  const ends = ['', '/subscriptions', '/test', '/restore']
  name(
    ends.map((end) => `/v1/alert-channels/:id${end}`),
    { id: rows[0]?.id },
  )
}

async function givenPeople(db: Database, accountId: string, { make, name }: Giving): Promise<void> {
  const { userId } = await givenMember(db, accountId, 'ADMIN', { email: 'mine@example.test' })
  name(['/v1/accounts/:accountId', '/v1/accounts/:accountId/members'], { accountId })
  name(['/v1/accounts/me/members/:userId', '/v1/accounts/:accountId/members/:userId'], { accountId, userId })
  name(['/v1/api-keys/:id'], await make('/v1/api-keys', { name: 'Mine', role: 'read' }))
}

// A tour of the management API: it makes one of each, runs and reads them, and leaves the account as it was.
// Usage: VEDETTE_URL=https://vedette.example.com VEDETTE_API_KEY=... npm run tour
import { isDeepStrictEqual } from 'node:util'
import { connect, dataOf, done, totalOf, type Vedette } from './client.ts'
import { expect, say, until } from './steps.ts'
import { startTarget } from './target.ts'
import { removeAll, undoing } from './undoing.ts'

type Target = Awaited<ReturnType<typeof startTarget>>

/** Names of this tour, so that they meet no others. */
const mark = `tour-${Date.now().toString(36)}`

/** Things that checks refer to. */
async function makeSurroundings(vedette: Vedette, target: Target) {
  const snippet = dataOf(
    await vedette.POST('/v1/snippets', { body: { name: mark, script: "request.headers['x-run'] = 'tour'" } }),
  )
  const ofSnippet = { params: { path: { id: snippet.id } } }
  undoing.push({ what: 'snippet', undo: async () => done(await vedette.DELETE('/v1/snippets/{id}', ofSnippet)) })
  say(`snippet ${snippet.id} made`)

  const key = mark.replace('-', '_').toUpperCase()
  const variable = dataOf(await vedette.POST('/v1/variables', { body: { key, value: 'good-morning', secret: true } }))
  const ofVariable = { params: { path: { key } } }
  undoing.push({ what: 'variable', undo: async () => done(await vedette.DELETE('/v1/variables/{key}', ofVariable)) })
  expect(variable.value === null, `The value of the secret variable ${key} was answered.`)
  say('secret variable made, and its value is not answered')

  const location = dataOf(await vedette.POST('/v1/private-locations', { body: { name: mark, icon: 'location' } }))
  const ofLocation = { params: { path: { id: location.id } } }
  undoing.push({
    what: 'private location',
    undo: async () => done(await vedette.DELETE('/v1/private-locations/{id}', ofLocation)),
  })
  const locationKey = dataOf(await vedette.POST('/v1/private-locations/{id}/keys', ofLocation))
  expect(locationKey.rawKey !== undefined, 'The key of the private location was not shown when it was made.')
  say(`private location ${location.slugName} made, with a key for its agents`)

  const channel = dataOf(
    await vedette.POST('/v1/alert-channels', {
      body: { type: 'WEBHOOK', config: { name: mark, url: target.url }, sendDegraded: true },
    }),
  )
  const ofChannel = { params: { path: { id: channel.id } } }
  undoing.push({
    what: 'alert channel',
    undo: async () => done(await vedette.DELETE('/v1/alert-channels/{id}', ofChannel)),
  })
  say(`alert channel ${channel.id} made`)

  const group = dataOf(
    await vedette.POST('/v2/check-groups', {
      body: { name: mark, tags: [mark], concurrency: 2 },
      params: { query: { autoAssignAlerts: false } },
    }),
  )
  const ofGroup = { params: { path: { id: group.id } } }
  undoing.push({ what: 'check group', undo: async () => done(await vedette.DELETE('/v1/check-groups/{id}', ofGroup)) })
  say(`check group ${group.id} made`)
  return { snippet, key, location, channel, group }
}

type Surroundings = Awaited<ReturnType<typeof makeSurroundings>>

/** A check of each of four types. Only the first is in the group and refers to everything. */
async function makeChecks(vedette: Vedette, target: Target, { key, location, channel, group }: Surroundings) {
  const params = { query: { autoAssignAlerts: false } }
  const common = { locations: ['eu-west-1' as const], tags: [mark], doubleCheck: false }
  const api = dataOf(
    await vedette.POST('/v1/checks/api', {
      params,
      body: {
        ...common,
        name: `${mark} API`,
        groupId: group.id,
        privateLocations: [location.slugName],
        alertChannelSubscriptions: [{ alertChannelId: channel.id, activated: true }],
        request: {
          url: target.url,
          headers: [{ key: 'x-greeting', value: `{{${key}}}` }],
          assertions: [{ source: 'JSON_BODY', property: '$.ok', comparison: 'EQUALS', target: 'true' }],
        },
      },
    }),
  )
  undoing.push(undoCheck(vedette, 'API check', api.id))
  const url = dataOf(
    await vedette.POST('/v1/checks/url', {
      params,
      body: { ...common, name: `${mark} URL`, request: { url: target.url } },
    }),
  )
  undoing.push(undoCheck(vedette, 'URL check', url.id))
  const tcp = dataOf(
    await vedette.POST('/v1/checks/tcp', {
      params,
      body: { ...common, name: `${mark} TCP`, request: { hostname: '127.0.0.1', port: target.port } },
    }),
  )
  undoing.push(undoCheck(vedette, 'TCP check', tcp.id))
  const heartbeat = dataOf(
    await vedette.POST('/v1/checks/heartbeat', {
      params,
      body: {
        name: `${mark} heartbeat`,
        tags: [mark],
        heartbeat: { period: 1, periodUnit: 'days', grace: 30, graceUnit: 'minutes' },
      },
    }),
  )
  undoing.push(undoCheck(vedette, 'heartbeat check', heartbeat.id))
  say(`checks made: ${[api, url, tcp, heartbeat].map(({ checkType }) => checkType).join(', ')}`)
  return { api, url, tcp, heartbeat }
}

const undoCheck = (vedette: Vedette, what: string, id: string) => ({
  what,
  undo: async () => done(await vedette.DELETE('/v1/checks/{id}', { params: { path: { id } } })),
})

type Checks = Awaited<ReturnType<typeof makeChecks>>

async function ping(vedette: Vedette, { heartbeat }: Checks): Promise<void> {
  const { pingUrl } = heartbeat.heartbeat
  expect(pingUrl !== undefined, 'The heartbeat check has no address to ping.')
  const { ok, status } = await fetch(pingUrl)
  expect(ok, `The ping was answered with ${status}.`)
  const path = { checkId: heartbeat.id }
  const isPassing = async () =>
    dataOf(await vedette.GET('/v1/check-statuses/{checkId}', { params: { path } })).state === 'passing'
  await until('The heartbeat check is not passing after its ping.', isPassing)
  const { events } = dataOf(await vedette.GET('/v1/checks/heartbeats/{checkId}/events', { params: { path } }))
  expect(events.length === 1, `The heartbeat has ${events.length} events after one ping.`)
  say('heartbeat pinged, and passing')
}

async function subscribe(vedette: Vedette, { url }: Checks, { channel }: Surroundings): Promise<void> {
  const path = { id: channel.id }
  const body = { checkId: url.id, activated: true }
  dataOf(await vedette.PUT('/v1/alert-channels/{id}/subscriptions', { params: { path }, body }))
  const { subscriptions } = dataOf(await vedette.GET('/v1/alert-channels/{id}', { params: { path } }))
  expect(subscriptions.length === 2, `The alert channel has ${subscriptions.length} subscriptions, not two.`)
  say('URL check subscribed to the alert channel')
}

/** All checks of the tour, two at a time. */
async function listChecks(vedette: Vedette) {
  const checks = []
  for (let page = 1; ; page++) {
    const answer = await vedette.GET('/v1/checks', { params: { query: { tag: [mark], limit: 2, page } } })
    checks.push(...dataOf(answer))
    if (checks.length >= totalOf(answer)) return checks
  }
}

async function list(vedette: Vedette, { tcp }: Checks): Promise<void> {
  const checks = await listChecks(vedette)
  expect(checks.length === 4, `The list has ${checks.length} checks of the tour, not four.`)
  const filtered = await vedette.GET('/v1/checks', { params: { query: { tag: [mark], checkType: 'TCP' } } })
  const [only] = dataOf(filtered)
  expect(totalOf(filtered) === 1 && only?.id === tcp.id, 'The filter for TCP finds something else than the TCP check.')
  expect(only.checkType === 'TCP', `The TCP check is listed as ${only.checkType}.`)
  expect(only.request.hostname === '127.0.0.1', 'The TCP check is listed with another host.')
  say(`${checks.length} checks listed, in pages of two, and one by its type`)
}

async function run(vedette: Vedette, { api, url, tcp }: Checks): Promise<void> {
  const checkId = [api.id, url.id, tcp.id]
  const body = { target: { matchTags: [], checkId, groupId: [] }, refreshCache: false }
  const { sessions } = dataOf(await vedette.POST('/v2/check-sessions/trigger', { body }))
  expect(sessions.length === 3, `${sessions.length} sessions were started, not three.`)
  for (const { checkSessionId, name } of sessions) {
    const { status } = await completionOf(vedette, checkSessionId)
    expect(status === 'PASSED', `The session of "${name}" ended as ${status}.`)
  }
  say(`${sessions.length} sessions run and passed`)
}

async function completionOf(vedette: Vedette, checkSessionId: string) {
  const params = { path: { checkSessionId }, query: { maxWaitSeconds: 5 } }
  for (let call = 1; call <= 24; call++) {
    const answer = await vedette.GET('/v2/check-sessions/{checkSessionId}/completion', { params })
    if (answer.response.status !== 408) return dataOf(answer)
  }
  throw new Error(`The session ${checkSessionId} was not over within two minutes.`)
}

async function readResults(vedette: Vedette, { api, url }: Checks): Promise<void> {
  const ofApi = { path: { checkId: api.id }, query: { limit: 5, hasFailures: false } }
  const { entries } = dataOf(await vedette.GET('/v2/check-results/{checkId}', { params: ofApi }))
  const id = entries[0]?.id
  expect(id !== undefined, 'The API check has no result.')
  const path = { checkId: api.id, checkResultId: id }
  const result = dataOf(await vedette.GET('/v1/check-results/{checkId}/{checkResultId}', { params: { path } }))
  expect(!JSON.stringify(result).includes('good-morning'), 'A result shows the value of the secret variable.')
  const answer = await vedette.GET('/v1/check-results/{checkId}', { params: { path: { checkId: url.id } } })
  const [latest] = dataOf(answer)
  expect(latest?.outcome === 'pass', `The latest result of the URL check says ${latest?.outcome ?? 'nothing'}.`)
  say(`results read: of the API check in ${String(result.responseTime)} ms, without the secret`)
}

async function readStatuses(vedette: Vedette, { api }: Checks): Promise<void> {
  const statuses = dataOf(await vedette.GET('/v1/check-statuses'))
  const ofTour = statuses.filter(({ name }) => name.startsWith(mark))
  expect(ofTour.length === 4, `${ofTour.length} checks of the tour have a status, not four.`)
  const one = dataOf(await vedette.GET('/v1/check-statuses/{checkId}', { params: { path: { checkId: api.id } } }))
  expect(one.state === 'passing', `The status of the API check is ${one.state}, not passing.`)
  const alerts = dataOf(await vedette.GET('/v1/check-alerts/{checkId}', { params: { path: { checkId: api.id } } }))
  expect(alerts.length === 0, `The API check has ${alerts.length} alerts, though it never failed.`)
  say('statuses read: passing')
}

/** The script waits until this version of the server can run it. */
async function refer(vedette: Vedette, { api }: Checks, { snippet }: Surroundings): Promise<void> {
  const path = { id: api.id }
  const changed = dataOf(
    await vedette.PUT('/v1/checks/api/{id}', { params: { path }, body: { setupSnippetId: snippet.id } }),
  )
  expect(changed.setupSnippetId === snippet.id, 'The API check does not refer to the snippet.')
  const { usedBy } = dataOf(await vedette.GET('/v1/snippets/{id}', { params: { path: { id: snippet.id } } }))
  expect(usedBy[0]?.checkId === api.id, 'The snippet does not know the check that uses it.')
  say('API check refers to the snippet')
}

async function changeMany(vedette: Vedette): Promise<void> {
  const isTagged = async () => (await listChecks(vedette)).filter(({ tags }) => tags.includes('toured')).length
  const body = { filter: { tag: [mark] }, change: { addTags: ['toured'] } }
  const { changed, undoToken } = dataOf(await vedette.POST('/v1/checks/bulk', { body }))
  expect(changed.length === 4 && (await isTagged()) === 4, `${changed.length} checks were tagged, not four.`)
  expect(undoToken !== null, 'The change of many checks has no token to take it back.')
  const undone = dataOf(await vedette.POST('/v1/checks/bulk/undo', { body: { token: undoToken } }))
  expect(undone.changed.length === 4 && (await isTagged()) === 0, 'The tags are still there after the undo.')
  say('four checks changed at once, and changed back')
}

/** The configuration of the account. */
async function exportOf(vedette: Vedette) {
  return dataOf(await vedette.GET('/v1/export', { params: { query: { format: 'json' } } }))
}

async function planImport(vedette: Vedette): Promise<void> {
  const body = await exportOf(vedette)
  const query = { dryRun: true, delete: true }
  const { plan, applied } = dataOf(await vedette.POST('/v1/import', { params: { query }, body }))
  const different = plan.filter(({ action }) => action !== 'unchanged').map(({ kind, name }) => `${kind} "${name}"`)
  expect(!applied, 'The import was applied, though only its plan was asked for.')
  expect(different.length === 0, `What was just exported is planned to change: ${different.join(', ')}.`)
  say(`${plan.length} resources exported; their import would change nothing`)
}

async function readAuditLog(vedette: Vedette, { api }: Checks): Promise<void> {
  const query = { resource: 'checks', resourceId: api.id, limit: 100 }
  const actions = dataOf(await vedette.GET('/v1/audit-log', { params: { query } })).map(({ action }) => action)
  expect(actions.includes('create') && actions.includes('update'), `The audit log knows only: ${actions.join(', ')}.`)
  say(`audit log read: ${actions.length} entries of the API check`)
}

async function tour(vedette: Vedette, target: Target): Promise<void> {
  const account = dataOf(await vedette.GET('/v1/accounts/me'))
  say(`account ${account.name}`)
  const before = await exportOf(vedette)
  const surroundings = await makeSurroundings(vedette, target)
  const checks = await makeChecks(vedette, target, surroundings)
  await ping(vedette, checks)
  await subscribe(vedette, checks, surroundings)
  await list(vedette, checks)
  await run(vedette, checks)
  await readResults(vedette, checks)
  await readStatuses(vedette, checks)
  await refer(vedette, checks, surroundings)
  await changeMany(vedette)
  await planImport(vedette)
  await readAuditLog(vedette, checks)
  await removeAll()
  const left = await listChecks(vedette)
  expect(left.length === 0, `${left.length} checks of the tour are left.`)
  expect(isDeepStrictEqual(await exportOf(vedette), before), 'The account is not as it was before the tour.')
  say('nothing is left')
}

const { VEDETTE_URL: url, VEDETTE_API_KEY: apiKey } = process.env
const target = await startTarget()
try {
  expect(url !== undefined && apiKey !== undefined, 'Set VEDETTE_URL and VEDETTE_API_KEY.')
  await tour(connect(url, apiKey), target)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
  if (undoing.length > 0) await removeAll()
} finally {
  await target.stop()
}

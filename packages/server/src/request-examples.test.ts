import { beforeAll, describe, expect, test } from 'vitest'
import { operationsOf, settled, type OpenApiDocument, type Operation } from '../../web/test-support/request-examples.ts'
import { apiDeps } from '../test-support/api.ts'
import { readDifferently } from '../test-support/bodies/read-differently.ts'
import { readingAddress, sendWith, type Json, type Send } from '../test-support/bodies/write-routes.ts'
import { givenAccount, useEmptiedDatabase } from '../test-support/database.ts'
import { givenKey } from '../test-support/http.ts'
import { useIngest } from '../test-support/ingest.ts'
import { givenMember } from '../test-support/people.ts'
import { answeredResult, incomingResult } from '../test-support/results.ts'
import { givenWholeApp } from '../test-support/whole-app.ts'
import type { App } from './http/build-http.ts'

const database = useEmptiedDatabase()
const ingest = useIngest(database)
let app: App
let document: OpenApiDocument
/** The first account operates the installation. */
let operator: string

beforeAll(async () => {
  app = await givenWholeApp(database.db, {
    hooks: { ...apiDeps(database.db).hooks, dryRun: () => Promise.resolve(answeredResult()) },
    outgoing: { egress: () => ({ privateTargets: true, deniedTargets: [] }), settings: {} },
  })
  document = app.swagger() as unknown as OpenApiDocument
  operator = await givenAccount(database.db)
})

type WithBody = Operation & { body: NonNullable<Operation['body']> }

const withBodies = (): WithBody[] =>
  operationsOf(document).flatMap((operation) =>
    operation.body === undefined ? [] : [{ ...operation, body: operation.body }],
  )

/** The example of the whole body. */
const exampleOf = ({ body }: WithBody): unknown => settled(body, document.components.schemas).examples?.[0]

/** An account of its own, and what can be done there. */
interface Place {
  account: string
  send: Send
  /** Sends the example of an operation whose address names nothing, and answers what it answered. */
  example: (id: string) => Promise<Json>
}

type InAddress = Record<string, string>

/** What an operation needs before its example can be sent: values for its address, and for texts of the example. */
interface Needs {
  inAddress?: InAddress
  inBody?: Record<string, unknown>
}

async function givenPlace(account: string): Promise<Place> {
  const send = sendWith(app, await givenKey(database.db, account, 'admin'))
  return {
    account,
    send,
    example: async (id) => {
      const operation = withBodies().find((one) => one.id === id)
      if (operation === undefined) throw new Error(`No operation ${id} with a body`)
      const { status, json } = await send(operation.method, operation.path, exampleOf(operation))
      expect(status, `${id}: ${JSON.stringify(json)}`).toBeLessThan(300)
      return json
    },
  }
}

const addressOf = ({ path }: Operation, inAddress: InAddress): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (inAddress[name] === undefined) throw new Error(`${path}: nothing is given for ${name}`)
    return encodeURIComponent(inAddress[name])
  })

/** The thing that the example of an operation makes, in the address under the name that things have there. */
const made =
  (id: string, name = 'id', idInAnswer = name) =>
  async ({ example }: Place): Promise<Needs> => ({ inAddress: { [name]: String((await example(id))[idInAnswer]) } })

/** The same, deleted again. */
const deleted =
  (id: string, collection: string, name = 'id') =>
  async (place: Place): Promise<Needs> => {
    const needs = await made(id, name)(place)
    const { status } = await place.send('DELETE', `${collection}/${needs.inAddress?.[name]}`, undefined)
    expect(status, collection).toBe(204)
    return needs
  }

const member = async ({ account }: Place): Promise<Needs> => {
  const { userId } = await givenMember(database.db, account, 'READ_ONLY')
  return { inAddress: { accountId: account, userId } }
}
const ownAccount = async ({ account }: Place): Promise<Needs> => ({ inAddress: { accountId: account } })

const session = async ({ example }: Place): Promise<Needs> => {
  await example('createUrlCheck')
  const { sessions } = (await example('triggerCheckSessionV2')) as { sessions: Json[] }
  return { inAddress: { checkSessionId: String(sessions[0]?.['checkSessionId']) } }
}

const needsOf: Record<string, (place: Place) => Promise<Needs>> = {
  ...Object.fromEntries(
    ['Api', 'Url', 'Tcp', 'Heartbeat', 'Dns', 'Icmp', 'Ssl', 'Browser', 'Multistep', 'Playwright', 'Agentic'].map(
      (type) => [`update${type}Check`, made(`create${type}Check`)],
    ),
  ),
  updateCheck: made('createCheck'),
  updateCheckMute: made('createApiCheck'),
  bulkChangeChecks: made('createApiCheck'),
  undoBulkCheck: async ({ example }) => {
    await example('createApiCheck')
    return { inBody: { token: (await example('bulkChangeChecks'))['undoToken'] } }
  },
  restoreCheck: deleted('createApiCheck', '/v1/checks'),
  acknowledgeCheck: async (place) => {
    const id = String((await place.example('createApiCheck'))['id'])
    // Results of the time before a check was made say nothing, and the first failure is retried.
    await ingest.clock.advance(60_000)
    const at = ingest.clock.now()
    const failed = incomingResult({ id, accountId: place.account }, at, { outcome: 'fail', attempt: 1, receivedAt: at })
    await ingest.take([failed])
    return { inAddress: { id } }
  },
  updateCheckGroup: made('createCheckGroup'),
  updateCheckGroupV2: made('createCheckGroupV2'),
  triggerCheckSession: made('createUrlCheck'),
  triggerCheckSessionV2: made('createUrlCheck'),
  cancelCheckSession: session,
  cancelCheckSessionV2: session,
  createCheckTrigger: made('createApiCheck', 'checkId', 'id'),
  createCheckGroupTrigger: made('createCheckGroup', 'groupId', 'id'),
  updateAlertChannel: made('createAlertChannel'),
  restoreAlertChannel: deleted('createAlertChannel', '/v1/alert-channels'),
  testAlertChannel: made('createAlertChannel'),
  updateAlertChannelSubscription: async (place) => ({
    ...(await made('createAlertChannel')(place)),
    inBody: { checkId: (await place.example('createApiCheck'))['id'] },
  }),
  updatePrivateLocation: made('createPrivateLocation'),
  restorePrivateLocation: deleted('createPrivateLocation', '/v1/private-locations'),
  restoreClientCertificate: deleted('createClientCertificate', '/v1/client-certificates'),
  updateSnippet: made('createSnippet'),
  updateVariable: made('createVariable', 'key'),
  restoreVariable: deleted('createVariable', '/v1/variables', 'key'),
  createAccountInstallationSuspend: made('createAccountInstallation', 'accountId', 'id'),
  createAccountMember: ownAccount,
  updateMemberOwnAccount: member,
  updateAccountMember: member,
}

/** Operations that do something once, and keep nothing of their body. */
const keepsNothing =
  /^(bulkChange|undo|restore|acknowledge|trigger|cancel|test|preview|dryRun|createCheckTrigger|createCheckGroupTrigger)/

/** What answers call differently than requests, by the path in the request. */
const otherNames: Record<string, Record<string, string>> = {
  updateCheckMute: { until: 'mutedUntil' },
  createAccountInstallation: { ownerEmail: 'invite.email' },
  createAccountInstallationSuspend: { because: 'suspendedBecause' },
}

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce((held: unknown, step) => (held as Json | undefined)?.[step], value)

/** What of the example an answer says otherwise, but for the key of a certificate, which is never answered. */
const differences = (id: string, sent: unknown, answer: unknown) =>
  readDifferently(sent, answer)
    .filter(({ path, sent: value }) => at(answer, otherNames[id]?.[path] ?? path) !== value)
    .filter(({ path }) => !(id === 'createClientCertificate' && path === 'key'))

describe('the example of every body in the OpenAPI document', () => {
  test('is there, whole', () => {
    expect(withBodies().length).toBeGreaterThan(60)
    expect(withBodies().flatMap((operation) => (exampleOf(operation) === undefined ? operation.id : []))).toEqual([])
  })

  test('is done as it is asked for, and read back as it was sent', { timeout: 120_000 }, async () => {
    let stored = 0
    for (const operation of withBodies()) {
      const { id, method, path } = operation
      const isForOperator = path.startsWith('/v1/installation') || path.startsWith('/v1/agent-keys')
      const place = await givenPlace(isForOperator ? operator : await givenAccount(database.db))
      const { inAddress = {}, inBody = {} } = (await needsOf[id]?.(place)) ?? {}
      const example = exampleOf(operation) as Json
      const unknownNames = Object.keys(inBody).filter((name) => !(name in example))
      expect(unknownNames, `${id}: what stands in the example for something that is there`).toEqual([])
      const sent = { ...example, ...inBody }
      const address = addressOf(operation, inAddress)
      const { status, json } = await place.send(method, address, sent)
      const shown = `${method} ${address} with ${JSON.stringify(sent)}: ${status} ${JSON.stringify(json)}`
      expect.soft([200, 201, 204], shown).toContain(status)
      if (id === 'createImport') {
        const { json: exported } = await place.send('GET', '/v1/export', undefined)
        expect.soft(readDifferently(sent, exported), shown).toEqual([])
      } else if (!keepsNothing.test(id)) {
        expect.soft(differences(id, sent, json), shown).toEqual([])
        const read = readAt(operation, address, json)
        if (read === undefined) continue
        const { json: found } = await place.send('GET', read, undefined)
        expect.soft(differences(id, sent, found), `${shown}, read as ${JSON.stringify(found)}`).toEqual([])
        stored++
      }
    }
    expect(stored).toBeGreaterThan(30)
  })
})

/** Where a thing can be read alone that was made, or changed at its own address. */
function readAt({ method, path }: Operation, address: string, answer: Json): string | undefined {
  if (method === 'POST') return readingAddress(app, path, answer)
  const anyType = path
    .replace(/^\/v1\/checks\/\w+\/\{id\}$/, '/v1/checks/{id}')
    .replace(/^\/v2\/check-groups/, '/v1/check-groups')
  if (document.paths[anyType]?.['get'] === undefined) return undefined
  return anyType === path ? address : anyType.replace('{id}', String(answer['id']))
}

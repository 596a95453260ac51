import { beforeAll, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../test-support/database.ts'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { givenWholeApp } from '../../../test-support/whole-app.ts'

const database = useDatabase()
let api: TestApi

interface Operation {
  operationId: string
  tags: string[]
  summary?: string
  security?: unknown[]
  parameters?: { name: string; schema: Record<string, unknown> }[]
  responses: Record<string, unknown>
}
interface Document {
  openapi: string
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown> }
}
let document: Document

beforeAll(async () => {
  api = await givenApi(database.db)
  document = (await api.app.inject('/openapi.json')).json<Document>()
})

const operations = () => Object.values(document.paths).flatMap((path) => Object.values(path))

describe('the OpenAPI document', () => {
  test('is open to all, version 3.1, and found where it was before', async () => {
    expect(document.openapi).toMatch(/^3\.1\./)
    for (const path of ['/docs/json', '/docs/yaml']) {
      const { statusCode, headers } = await api.app.inject(path)
      expect([statusCode, headers.location], path).toEqual([308, '/openapi.json'])
    }
  })

  test('has every route of the API that is not hidden, each with a summary, an id of its own and its error answers', () => {
    const paths = Object.keys(document.paths)
    expect(paths).toContain('/v1/checks/api/{id}')
    expect(paths.some((path) => path.startsWith('/agent') || path.startsWith('/session'))).toBe(false)
    const ids = operations().map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const operation of operations()) {
      expect(operation.summary, operation.operationId).toBeTruthy()
      expect(Object.keys(operation.responses)).toContain('429')
      if (operation.security === undefined) expect(Object.keys(operation.responses)).toContain('401')
    }
  })

  test('calls each operation by what it does, once', async () => {
    const whole = (await givenWholeApp(database.db)).swagger() as unknown as Document
    const idOf = (method: string, path: string) => whole.paths[path]?.[method]?.operationId
    expect([
      idOf('get', '/v1/check-groups'),
      idOf('post', '/v1/checks/dns'),
      idOf('put', '/v1/checks/api/{id}'),
      idOf('get', '/v1/check-groups/{id}/checks'),
      idOf('get', '/v2/check-results/{checkId}'),
      idOf('post', '/v1/checks/{id}/run'),
      idOf('delete', '/v1/checks/{id}/acknowledge'),
      idOf('get', '/v1/check-statuses/{checkId}'),
      idOf('get', '/v1/accounts/me'),
      idOf('get', '/checks/{checkId}/trigger/{token}'),
    ]).toEqual([
      'listCheckGroups',
      'createDnsCheck',
      'updateApiCheck',
      'listCheckGroupChecks',
      'listCheckResultsV2',
      'runCheck',
      'unacknowledgeCheck',
      'getCheckStatus',
      'getOwnAccount',
      'triggerCheckByGet',
    ])
    const ids = Object.values(whole.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
    expect(ids.filter((id, nr) => ids.indexOf(id) !== nr)).toEqual([])
  })

  test('describes every resource that its operations name', async () => {
    const whole = (await givenWholeApp(database.db)).swagger() as unknown as Document
    const named = Object.values(whole.paths).flatMap((path) => Object.values(path).flatMap(({ tags }) => tags))
    expect([...new Set(named)].toSorted()).toEqual(whole.tags.map(({ name }) => name).toSorted())
  })

  test('tells lists as lists and numbers with their bounds', () => {
    const parameters = document.paths['/v1/checks']?.get?.parameters ?? []
    const of = (name: string) => parameters.find((parameter) => parameter.name === name)?.schema
    expect(of('tag')).toMatchObject({ type: 'array', items: { type: 'string' } })
    expect(of('limit')).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 10 })
  })

  test('describes results whole, with one exact part for each kind of check', () => {
    const { schemas } = document.components
    expect(schemas['CheckResult']).toMatchObject({
      properties: {
        outcome: { type: 'string', enum: ['pass', 'fail', 'unknown'] },
        late: { type: 'boolean' },
        runSource: { type: 'string' },
        revision: { type: 'integer' },
        timingUncertaintyMs: { type: 'number' },
        error: { type: ['object', 'null'], properties: { phase: { type: 'string' } } },
        internalError: { type: ['object', 'null'], properties: { code: { type: 'string' } } },
        metrics: { type: 'object', additionalProperties: { type: 'number' } },
        browserCheckResult: { anyOf: [{ $ref: '#/components/schemas/BrowserCheckResult' }, { type: 'null' }] },
        multiStepCheckResult: { anyOf: [{ $ref: '#/components/schemas/MultiStepCheckResult' }, { type: 'null' }] },
        agenticCheckResult: { anyOf: [{ $ref: '#/components/schemas/AgenticCheckResult' }, { type: 'null' }] },
      },
    })
    const part = JSON.stringify((schemas['CheckResult'] as { properties: object }).properties)
    for (const name of ['ApiCheckResult', 'TcpCheckResult']) expect(part).toContain(`#/components/schemas/${name}`)
    expect(schemas['ApiCheckResult']).toMatchObject({
      properties: {
        assertions: { type: 'array', items: { $ref: '#/components/schemas/AssertionOutcome' } },
        requestError: { type: ['string', 'null'] },
      },
    })
    for (const name of ['ApiCheckResult', 'TcpCheckResult'])
      expect(schemas[name], name).toMatchObject({
        properties: {
          jobLog: { type: ['object', 'null'] },
          jobAssets: { type: ['string', 'null'] },
          pcapDataUrl: { type: ['string', 'null'] },
        },
      })
    expect(schemas['AgenticCheckResult']).toMatchObject({
      properties: { summary: { type: 'string' }, steps: { items: { properties: { sequenceNumber: {} } } } },
    })
    expect(JSON.stringify(schemas['ApiCheckResult'])).toContain('"firstByte":{"type":"number"}')
    expect(JSON.stringify(schemas['TcpCheckResult'])).toContain('"connection":{"type":"number"}')
  })

  test('names what answers are made of', () => {
    const names = [
      'Account',
      'AlertChannel',
      'AlertChannelKind',
      'AlertNotification',
      'AlertTest',
      'ApiKey',
      'Variable',
    ]
    const ofRuns = ['CheckResultEntry', 'CheckStatus', 'CoverageGap', 'StartedRun']
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining([...names, ...ofRuns]))
    expect(JSON.stringify(document.paths['/v1/checks/api/dry-run'])).toContain('#/components/schemas/CheckResult"')
  })

  test('names no component that nothing refers to', () => {
    const text = JSON.stringify(document)
    for (const name of Object.keys(document.components.schemas)) {
      expect(text.includes(`"#/components/schemas/${name}"`), name).toBe(true)
    }
  })
})

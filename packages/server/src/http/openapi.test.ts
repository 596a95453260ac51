import { beforeAll, describe, expect, test } from 'vitest'
import { useDatabase } from '../../test-support/database.ts'
import { givenApi, type TestApi } from '../../test-support/api.ts'

const database = useDatabase()
let api: TestApi

interface Operation {
  operationId: string
  summary?: string
  security?: unknown[]
  parameters?: { name: string; schema: Record<string, unknown> }[]
  responses: Record<string, unknown>
}
interface Document {
  openapi: string
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
  test('is open to all, version 3.1, and has a page', async () => {
    expect(document.openapi).toMatch(/^3\.1\./)
    expect((await api.app.inject('/docs/')).body).toContain('swagger')
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

  test('tells lists as lists and numbers with their bounds', () => {
    const parameters = document.paths['/v1/checks']?.get?.parameters ?? []
    const of = (name: string) => parameters.find((parameter) => parameter.name === name)?.schema
    expect(of('tag')).toMatchObject({ type: 'array', items: { type: 'string' } })
    expect(of('limit')).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 10 })
  })

  test('names no component that nothing refers to', () => {
    const text = JSON.stringify(document)
    for (const name of Object.keys(document.components.schemas)) {
      expect(text.includes(`"#/components/schemas/${name}"`), name).toBe(true)
    }
  })
})

import { describe, expect, test } from 'vitest'
import type { OpenApiDocument } from './openapi-document.ts'
import { matching, resourcesOf } from './operations.ts'

const operation = (operationId: string, tag: string, summary: string) => ({
  operationId,
  tags: [tag],
  summary,
  responses: {},
})
const document: OpenApiDocument = {
  info: { title: 'An API', version: '1' },
  tags: [{ name: 'Checks', description: 'Scheduled monitors.' }],
  components: { schemas: {} },
  paths: {
    '/v1/health': { get: operation('getHealth', 'Health', 'Read the health') },
    '/v1/checks': {
      post: operation('postChecks', 'Checks', 'Create a check'),
      get: operation('getChecks', 'Checks', 'List checks'),
    },
  },
}

describe('the operations of a document', () => {
  test('stand under their resource, also under one that the document does not list', () => {
    const found = resourcesOf(document)
    expect(found.map(({ name, description }) => [name, description])).toEqual([
      ['Checks', 'Scheduled monitors.'],
      ['Health', undefined],
    ])
    expect(found[0]?.operations.map(({ id }) => id)).toEqual(['getChecks', 'postChecks'])
  })

  test('are found by words of method, path and summary', () => {
    const ids = (search: string) =>
      matching(resourcesOf(document), search).flatMap(({ operations }) => operations.map(({ id }) => id))
    expect(ids('')).toHaveLength(3)
    expect(ids('post checks')).toEqual(['postChecks'])
    expect(ids('READ health')).toEqual(['getHealth'])
    expect(ids('nothing')).toEqual([])
  })
})

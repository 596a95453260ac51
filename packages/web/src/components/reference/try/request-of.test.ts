import { describe, expect, test } from 'vitest'
import type { Operation } from '../document/operations.ts'
import { addressOf, commandOf, missing } from './request-of.ts'

const operation: Operation = {
  id: 'updateVariable',
  method: 'PUT',
  path: '/v1/variables/{key}',
  tag: 'Variables',
  summary: 'Change a variable',
  description: undefined,
  parameters: [
    { name: 'key', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'tag', in: 'query', schema: { type: 'array' } },
  ],
  body: { type: 'object' },
  answers: [],
  isPublic: false,
}
const filled = { values: { key: 'A B', tag: 'a,b' }, body: `{"value":"it's"}` }

describe('a call of the reference', () => {
  test('has its parameters in path and query, encoded', () => {
    expect(addressOf(operation, filled)).toBe('/v1/variables/A%20B?tag=a%2Cb')
  })

  test('names what is still missing, and leaves its place open', () => {
    const nothing = { values: { key: '', tag: '' }, body: '' }
    expect(missing(operation, nothing)).toEqual(['key'])
    expect(addressOf(operation, nothing)).toBe('/v1/variables/{key}')
    expect(missing(operation, filled)).toEqual([])
  })

  test('is a command for this server that a shell takes as it is', () => {
    expect(commandOf(operation, filled, 'https://watch.example.com')).toBe(
      [
        `curl 'https://watch.example.com/v1/variables/A%20B?tag=a%2Cb'`,
        '-X PUT',
        `-H 'Authorization: Bearer YOUR_API_KEY'`,
        `-H 'Content-Type: application/json'`,
        String.raw`--data-raw '{"value":"it'\''s"}'`,
      ].join(' \\\n  '),
    )
  })

  test('that anybody may make needs no key', () => {
    const open = { ...operation, method: 'GET', path: '/v1/open', isPublic: true, body: undefined }
    expect(commandOf(open, { values: {}, body: '' }, 'http://localhost:8080')).toBe(
      `curl 'http://localhost:8080/v1/open'`,
    )
  })
})

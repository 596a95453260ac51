import { describe, expect, test } from 'vitest'
import type { Schema, Schemas } from './json-schema.ts'
import { choicesOf, rulesOf, typeText } from './schema-text.ts'

const schemas: Schemas = {
  Check: { oneOf: [{ $ref: '#/components/schemas/ApiCheck' }, { $ref: '#/components/schemas/TcpCheck' }] },
  ApiCheck: { type: 'object', properties: { checkType: { const: 'API' } } },
  TcpCheck: { type: 'object', properties: { checkType: { enum: ['TCP'] } } },
}
const check = { $ref: '#/components/schemas/Check' }
const api = { $ref: '#/components/schemas/ApiCheck' }

describe('what the reference says of a schema', () => {
  test('names its type, whether it may be null, and what a list is of', () => {
    const text = (schema: Schema) => typeText(schema, schemas)
    expect(text({ type: 'string', format: 'uuid' })).toBe('string (uuid)')
    expect(text({ type: ['integer', 'null'] })).toBe('integer or null')
    expect(text({ type: 'array', items: { type: 'string' } })).toBe('list of string')
    expect(text({ anyOf: [api, { type: 'null' }] })).toBe('ApiCheck or null')
    expect(text({ type: 'array', items: check })).toBe('list of API or TCP')
    expect(text({ type: 'object', additionalProperties: { type: 'number' } })).toBe('map of number')
    expect(text({})).toBe('any')
  })

  test('states its bounds and its default', () => {
    const rules = (schema: Schema) => rulesOf(schema, schemas)
    expect(rules({ type: 'integer', minimum: 1, maximum: 100, default: 10 })).toEqual(['1 to 100', 'default 10'])
    expect(rules({ type: 'string', maxLength: 255 })).toEqual(['at most 255 characters'])
    expect(rules({ type: 'integer', exclusiveMinimum: 0 })).toEqual(['more than 0'])
    expect(rules({ type: 'array', minItems: 1 })).toEqual(['not empty'])
    expect(rules({ type: 'string', format: 'uuid', pattern: '^[0-9a-f]$' })).toEqual([])
  })

  test('lists the values to choose from, also those of a list', () => {
    expect(choicesOf({ type: 'array', items: { enum: ['a', 'b'] } }, schemas)).toEqual(['a', 'b'])
    expect(choicesOf({ type: 'string' }, schemas)).toEqual([])
  })
})

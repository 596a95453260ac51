import { describe, expect, test } from 'vitest'
import { exampleOf } from './example-of.ts'
import type { Schema, Schemas } from '../document/json-schema.ts'

const now = new Date('2026-03-01T10:00:00.000Z')
const example = (schema: Schema, schemas: Schemas = {}) => exampleOf(schema, schemas, now)

describe('an example', () => {
  test('is what the schema states: its example, its default, its only value', () => {
    expect(example({ type: 'string', examples: ['https://example.com/'], default: 'x' })).toBe('https://example.com/')
    expect(example({ type: 'integer', default: 10 })).toBe(10)
    expect(example({ const: 'API' })).toBe('API')
    expect(example({ type: ['string', 'null'], enum: [null, 'a', 'b'] })).toBe('a')
  })

  test('has the members that are required, and none that only answers carry', () => {
    const properties: Record<string, Schema> = {
      id: { readOnly: true },
      name: { type: 'string' },
      port: { type: 'integer', minimum: 100 },
      note: { type: 'string' },
    }
    expect(example({ type: 'object', properties, required: ['id', 'name', 'port'] })).toEqual({
      name: 'Example',
      port: 100,
    })
  })

  test('has one telling member where none is required, and nothing within that', () => {
    const inner: Schema = { type: 'object', properties: { a: { type: 'string' } } }
    const properties = { inner, on: { type: 'boolean' }, name: { type: 'string' } }
    expect(example({ type: 'object', properties })).toEqual({ name: 'Example' })
    expect(example({ type: 'object', properties: { inner }, required: ['inner'] })).toEqual({ inner: {} })
  })

  test('keeps to bounds, patterns and formats', () => {
    expect(example({ type: 'number', exclusiveMinimum: 5 })).toBe(6)
    expect(example({ type: 'integer', minimum: -9, maximum: -3 })).toBe(-9)
    expect(example({ type: 'string', pattern: '^[A-Z]+$' })).toBe('EXAMPLE')
    expect(example({ type: 'string', minLength: 9 })).toHaveLength(9)
    expect(example({ type: 'string', format: 'uuid' })).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('of a time lies a day ahead', () => {
    expect(example({ type: ['string', 'null'], format: 'date-time' })).toBe('2026-03-02T10:00:00.000Z')
  })

  test('follows references and takes the first shape that is not null', () => {
    const schemas = { Port: { type: 'integer', minimum: 1 } as const }
    const port = { $ref: '#/components/schemas/Port' }
    expect(example({ anyOf: [{ type: 'null' }, port] }, schemas)).toBe(1)
    expect(example({ oneOf: [{ type: 'object', properties: { port }, required: ['port'] }, port] }, schemas)).toEqual({
      port: 1,
    })
  })

  test('of a list has as many entries as must be there, else one', () => {
    expect(example({ type: 'array', items: { type: 'boolean' } })).toEqual([true])
    expect(example({ type: 'array', items: { type: 'boolean' }, minItems: 2 })).toEqual([true, true])
  })

  test('of a shape within itself comes to an end', () => {
    const tree: Schema = {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
      required: ['children'],
    }
    expect(JSON.stringify(example({ $ref: '#/components/schemas/Tree' }, { Tree: tree })).length).toBeLessThan(200)
  })
})

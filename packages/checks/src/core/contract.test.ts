import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkResultSchema } from '@vedette/wire'
import { checkId, fixtureOf, leastDefinition } from '../../test-support/contract.ts'
import { checkTypeOf, checkTypes } from '../check-types.ts'
import { validateWhole } from '../rules.ts'
import {
  createSchema,
  defaultsOf,
  hasCommonField,
  responseSchema,
  storedSchema,
  updateSchema,
} from './definition/check-schema.ts'
import { comparisonsFor } from './assertions/assertion-rules.ts'
import type { AnyCheckType, FormField } from './check-type.ts'
import { completeDefinition, mergeDefinition } from './definition/complete-definition.ts'
import { mapSecrets } from './secrets/secret-paths.ts'
import { withValueAt } from './value-at.ts'

function schemaAt(schema: unknown, path: readonly string[]): unknown {
  const [step, ...rest] = path
  if (step === undefined) return schema
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return schemaAt(schema.unwrap(), path)
  if (schema instanceof z.ZodObject) return schemaAt((schema.shape as Record<string, unknown>)[step], rest)
  return undefined
}

const fieldsOf = (type: AnyCheckType): FormField[] => type.form.flatMap(({ fields }) => [...fields])

describe('the registry', () => {
  it('names and places every type once', () => {
    expect(new Set(checkTypes.map(({ type }) => type)).size).toBe(checkTypes.length)
    expect(new Set(checkTypes.map(({ path }) => path)).size).toBe(checkTypes.length)
    for (const type of checkTypes) expect(checkTypeOf(type.type)).toBe(type)
    expect(checkTypeOf('constructor')).toBeUndefined()
  })

  it('gives every type a field of results of its own, but for those that share one as the contract has it', () => {
    const shared = [['API', 'DNS', 'ICMP', 'TCP', 'URL']]
    for (const { resultKey: key } of checkTypes) {
      if (key === null) continue
      const types = checkTypes.filter(({ resultKey }) => resultKey === key).map(({ type }) => type)
      if (types.length > 1) expect(shared).toContainEqual(types.toSorted())
      expect(Object.keys(checkResultSchema(z.object({})).shape)).not.toContain(key)
    }
  })
})

describe.each(checkTypes.map((type) => [type.title, type] as const))('the check type %s', (_, type) => {
  const definition = leastDefinition(type)
  const least = fixtureOf(type).leastCheck(9)

  it('completes what a user must send to a valid definition that survives a round trip', () => {
    expect(storedSchema(type).parse(definition)).toEqual(definition)
    expect(validateWhole(type, definition)).toEqual([])
    const times = { created_at: '2026-01-01T00:00:00.000Z', updated_at: null }
    const answered = responseSchema(type).parse({
      ...definition,
      ...times,
      id: checkId,
      checkType: type.type,
      alertChannels: {},
    })
    const sentBack = updateSchema(type).parse(JSON.parse(JSON.stringify(answered)))
    expect(mergeDefinition(type, definition, sentBack, checkId)).toEqual(definition)
  })

  it('has defaults that its own fields accept, and fields for no others', () => {
    const fields = createSchema(type).shape
    for (const [name, value] of Object.entries(defaultsOf(type))) {
      expect(fields[name]?.safeParse(value).success, name).toBe(true)
    }
    expect(Object.keys(type.storedFields).toSorted()).toEqual(Object.keys(type.fields).toSorted())
  })

  it('changes nothing on an empty update, and fills nothing in', () => {
    expect(updateSchema(type).parse({})).toEqual({})
    expect(mergeDefinition(type, definition, {}, checkId)).toEqual(definition)
  })

  it('can be described to machines', () => {
    for (const schema of [createSchema(type), updateSchema(type)]) z.toJSONSchema(schema, { io: 'input' })
    const described = z.toJSONSchema(responseSchema(type))
    for (const name of Object.keys(type.storedFields)) expect(described).toHaveProperty(`properties.${name}`)
  })

  it('shows only fields it has', () => {
    for (const { path, visibleWhen } of fieldsOf(type)) {
      expect(schemaAt(createSchema(type), path.split('.')), path).toBeDefined()
      if (visibleWhen) expect(schemaAt(createSchema(type), visibleWhen.path.split('.'))).toBeDefined()
    }
  })

  it('keeps secrets where its schema has texts', () => {
    for (const path of type.secretPaths.filter((each) => !each.includes('['))) {
      expect(schemaAt(createSchema(type), path.split('.')), path).toBeInstanceOf(z.ZodString)
    }
    expect(mapSecrets(type, definition, () => 'changed')).toBeTypeOf('object')
  })

  it('offers every comparison and property of a source that its schema accepts', () => {
    for (const [name, source] of Object.entries(type.assertionSources)) {
      expect(source.comparisons.length, name).toBeGreaterThan(0)
      if (source.aliasOf !== undefined) expect(type.assertionSources).toHaveProperty(source.aliasOf)
      for (const property of source.property?.options ?? ['$.a']) {
        for (const comparison of comparisonsFor(source, property)) {
          const assertion = { source: name, comparison, property, target: '1' }
          const sent = { ...least, request: { ...least.request, assertions: [assertion] } }
          const complete = completeDefinition(type, createSchema(type).parse(sent), checkId)
          expect(validateWhole(type, complete), `${name} ${property} ${comparison}`).toEqual([])
        }
      }
    }
  })

  it('names its metrics once', () => {
    const names = type.metrics.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('says what is looked at in one text without secrets, the same for what the database holds', () => {
    const target = type.target(definition)
    expect(target).toBe(target.trim())
    expect(type.describe(definition).action).not.toBe('')
    expect(type.target(mapSecrets(type, definition, () => '******'))).toBe(target)
    for (const path of type.secretPaths.filter((each) => !each.includes('['))) {
      const holding = withValueAt(definition, path, 'not to be seen')
      expect(type.target(holding)).not.toContain('not to be seen')
      expect(JSON.stringify(type.describe(holding))).not.toContain('not to be seen')
    }
  })

  it('starts a form that its fields belong to', () => {
    const start = type.complete({ ...defaultsOf(type), name: '', ...type.formStart })
    for (const name of Object.keys(start)) expect(createSchema(type).shape, name).toHaveProperty(name)
  })

  it('shows a type-specific part only if results have one', () => {
    expect(type.resultView.length > 0).toBe(type.resultKey !== null)
    expect(type.resultSchema !== null).toBe(type.resultKey !== null)
    const titles = type.resultView.map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
  })

  it('has the fields of a schedule as a whole or not at all', () => {
    expect(hasCommonField(type, 'frequency')).toBe(type.mode.kind === 'scheduled')
    expect(hasCommonField(type, 'frequencyOffset')).toBe(hasCommonField(type, 'frequency'))
    expect(Object.keys(defaultsOf(type)).filter((name) => !Object.hasOwn(createSchema(type).shape, name))).toEqual([])
  })
})

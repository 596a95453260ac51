import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { workerClasses, resultReport, systemClock, type Job } from '@vedette/wire'
import { checkTypeOf, checkTypes } from '../check-types.ts'
import { validateWhole } from '../rules.ts'
import { createJobRunner } from '../run.ts'
import { AssertionPool } from './assertions/assertion-pool.ts'
import { createSchema, defaultsOf, responseSchema, storedSchema, updateSchema } from './definition/check-schema.ts'
import type { AnyCheckType, FormField } from './check-type.ts'
import { completeDefinition, mergeDefinition } from './definition/complete-definition.ts'
import { mapSecrets } from './secrets/secret-paths.ts'

const checkId = '11111111-2222-4333-8444-555555555555'

type LeastCheck = (port: number) => { name: string; request: Record<string, unknown> }

async function loadLeast({ path }: AnyCheckType): Promise<LeastCheck> {
  const fixture = new URL(`../${path}/contract.fixture.ts`, import.meta.url).href
  return ((await import(/* @vite-ignore */ fixture)) as { leastCheck: LeastCheck }).leastCheck
}
const leastChecks = new Map<AnyCheckType, LeastCheck>()
for (const type of checkTypes) leastChecks.set(type, await loadLeast(type))

function leastOf(type: AnyCheckType, port = 9): ReturnType<LeastCheck> {
  const leastCheck = leastChecks.get(type)
  if (leastCheck === undefined) throw new Error(`${type.path}/contract.fixture.ts is missing`)
  return leastCheck(port)
}

function jobOf(type: AnyCheckType, port: number, timeoutMs: number): Job {
  const definition = completeDefinition(type, createSchema(type).parse(leastOf(type, port)), checkId)
  return {
    attemptId: checkId,
    lease: '',
    leaseExpiresAt: 0,
    leasedAt: 0,
    checkId,
    checkName: 'least',
    type: type.type,
    workerClass: 'network',
    location: 'eu-west-1',
    emulated: true,
    dueAt: 0,
    attempt: 0,
    definition,
    variables: [],
    egress: { privateTargets: true, deniedTargets: [] },
    timeoutMs,
  }
}

async function report(job: Job) {
  const pool = new AssertionPool({ clock: systemClock })
  const context = { signal: new AbortController().signal, clock: systemClock, random: Math.random }
  try {
    const body = await createJobRunner({ pool })(job, context)
    return resultReport.parse({ ...body, lease: '', clockOffsetMs: 0, replayed: false })
  } finally {
    await pool.stop()
  }
}

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
})

describe.each(checkTypes.map((type) => [type.type, type] as const))('the check type %s', (_, type) => {
  const definition = completeDefinition(type, createSchema(type).parse(leastOf(type)), checkId)

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
    expect(z.toJSONSchema(responseSchema(type))).toHaveProperty('properties.request')
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
      for (const comparison of source.comparisons) {
        const assertion = { source: name, comparison, property: '$.a', target: '1' }
        const sent = { ...leastOf(type), request: { ...leastOf(type).request, assertions: [assertion] } }
        const complete = completeDefinition(type, createSchema(type).parse(sent), checkId)
        expect(validateWhole(type, complete), `${name} ${comparison}`).toEqual([])
      }
    }
  })

  it('names its metrics once', () => {
    const names = type.metrics.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  const { mode } = type
  if (mode.kind !== 'scheduled') return

  it('has a run of its own, a worker class and a limit', () => {
    expect(existsSync(new URL(`../${type.path}/run.ts`, import.meta.url))).toBe(true)
    expect(workerClasses).toContain(mode.workerClass)
    expect(mode.timeoutMs(definition)).toBeGreaterThan(0)
  })

  it('reports a refusal as data', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const { verdict, error, internalError, result } = await report(jobOf(type, port, 5000))
    expect(internalError).toBeNull()
    expect(verdict.outcome).toBe('fail')
    expect(verdict.cause).toContain('refused')
    expect(error).toMatchObject({ network: true })
    expect(Object.keys(result)).toEqual(type.resultKey === null ? [] : [type.resultKey])
  })

  it('ends as data when the target stays silent: a run that misses its deadline would be an internal error', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { verdict, internalError } = await report(jobOf(type, port, 300))
    server.close()
    expect(internalError).toBeNull()
    expect(verdict.outcome).toBe('fail')
    expect(verdict.cause).not.toBe('')
  })
})

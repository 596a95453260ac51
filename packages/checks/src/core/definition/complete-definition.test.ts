import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assignedFrequencyOffset, frequencies, isFrequencyOffset } from '@vedette/wire'
import { apiCheckType } from '../../api/definition.ts'
import { validateWhole } from '../../rules.ts'
import { tcpCheckType } from '../../tcp/definition.ts'
import { createSchema, updateSchema } from './check-schema.ts'
import { completeDefinition, mergeDefinition, ruleProblems } from './complete-definition.ts'
import { maskSecrets, secretMask, secretsOf } from '../secrets/secret-paths.ts'

const checkId = '11111111-2222-4333-8444-555555555555'
const create = (sent: Record<string, unknown>) =>
  completeDefinition(apiCheckType, createSchema(apiCheckType).parse({ name: 'a', ...sent }), checkId)
const request = { url: 'https://shop.example.com/' }
const update = (stored: Record<string, unknown>, sent: Record<string, unknown>) =>
  mergeDefinition(apiCheckType, stored, updateSchema(apiCheckType).parse(sent), checkId)
const problems = (sent: Record<string, unknown>) =>
  validateWhole(apiCheckType, create({ request: { ...request, ...sent } })).map(({ path }) => path)

describe('a new check', () => {
  it('has the defaults of the contract', () => {
    expect(create({ request })).toMatchObject({
      activated: true,
      muted: false,
      doubleCheck: true,
      shouldFail: false,
      useGlobalAlertSettings: true,
      runParallel: false,
      frequency: 10,
      degradedResponseTime: 5000,
      maxResponseTime: 20_000,
      request: { method: 'GET', followRedirects: true, skipSSL: false, ipFamily: 'IPv4', bodyType: 'NONE' },
    })
    const tcp = createSchema(tcpCheckType).parse({ name: 'a', request: { hostname: 'h', port: 1 } })
    expect(completeDefinition(tcpCheckType, tcp, checkId)).toMatchObject({
      degradedResponseTime: 3000,
      maxResponseTime: 5000,
    })
  })

  it('keeps null where the contract allows it', () => {
    expect(create({ request, degradedResponseTime: null, maxResponseTime: null })).toMatchObject({
      degradedResponseTime: null,
      maxResponseTime: null,
    })
  })

  it('shares no list with another one', () => {
    const first = create({ request })
    ;(first.tags as string[]).push('x')
    expect(create({ request }).tags).toEqual([])
  })

  it.each([
    ['name missing', { name: undefined, request }],
    ['request missing', {}],
    ['unknown field', { request, nope: 1 }],
    ['unknown nested field', { request: { ...request, nope: 1 } }],
    ['text for a number', { request, maxResponseTime: '5' }],
    ['over the bound', { request, maxResponseTime: 30_001 }],
    ['under the bound', { request, degradedResponseTime: -1 }],
    ['frequency not offered', { request, frequency: 3 }],
    ['method unknown', { request: { ...request, method: 'TRACE' } }],
    ['description too long', { request, description: 'x'.repeat(501) }],
    ['groupOrder negative', { request, groupOrder: -1 }],
  ])('is refused with %s', (_, sent) => {
    expect(createSchema(apiCheckType).safeParse({ name: 'a', ...sent }).success).toBe(false)
  })

  it('takes and ignores what only answers carry', () => {
    const sent = { request, id: 'x', created_at: 1, updated_at: null, alertChannels: {}, checkType: 'API' }
    expect(create(sent)).toEqual(create({ request }))
  })

  it('reads the other names of a TCP target and answers in its own', () => {
    const schema = createSchema(tcpCheckType)
    const sent = schema.parse({ name: 'a', request: { url: 'h', port: 1, body: 'hello' } })
    expect(completeDefinition(tcpCheckType, sent, checkId).request).toEqual({
      hostname: 'h',
      port: 1,
      data: 'hello',
      ipFamily: 'IPv4',
      assertions: [],
    })
    expect(schema.safeParse({ name: 'a', request: { port: 1 } }).error?.issues[0]?.path).toEqual([
      'request',
      'hostname',
    ])
    expect(schema.safeParse({ name: 'a', request: { hostname: 'h', url: 'other', port: 1 } }).success).toBe(false)
  })
})

describe('the host of a TCP check', () => {
  const isTaken = (hostname: string) =>
    createSchema(tcpCheckType).safeParse({ name: 'a', request: { hostname, port: 1 } }).success

  it.each(['db.example.com', 'db.example.com.', 'localhost', '10.0.0.1', '::1', '[::1]', 'bücher.example', 'a_b'])(
    'may be %s',
    (host) => expect(isTaken(host)).toBe(true),
  )
  it.each(['db.example.com:5432', 'a:b:c', '[::1]:80', '..', '.a', 'a..b', '.', 'http://x', 'a b', 'u@h'])(
    'may not be %s',
    (host) => expect(isTaken(host)).toBe(false),
  )
})

describe('an address without a scheme', () => {
  it.each([
    ['localhost:8080/x', 'http://localhost:8080/x'],
    ['localhost', 'http://localhost'],
    ['shop.localhost?a=1', 'http://shop.localhost?a=1'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['[::1]:80/', 'http://[::1]:80/'],
    ['10.1.2.3/health', 'http://10.1.2.3/health'],
    ['172.31.0.1', 'http://172.31.0.1'],
    ['[fd00::1]', 'http://[fd00::1]'],
    ['172.32.0.1', 'https://172.32.0.1'],
    ['shop.example.com', 'https://shop.example.com'],
    [' shop.example.com:8443/a b ', 'https://shop.example.com:8443/a b'],
    ['10.example.com', 'https://10.example.com'],
    ['db:9000/{{PATH}}', 'https://db:9000/{{PATH}}'],
    ['api.{{DOMAIN}}/x', 'https://api.{{DOMAIN}}/x'],
  ])('%s is stored as %s, made or changed', (sent, stored) => {
    expect(create({ request: { url: sent } })).toMatchObject({ request: { url: stored } })
    expect(update(create({ request }), { request: { url: sent } })).toMatchObject({ request: { url: stored } })
  })

  it.each(['{{BASE}}/x', 'http://x', 'HTTPS://x/', 'ftp://x', 'shop'])('%s stays as it is', (url) => {
    expect(create({ request: { url } })).toMatchObject({ request: { url } })
  })
})

describe('rules over a whole check', () => {
  it.each([
    ['ftp://x/', false],
    ['shop', false],
    ['shop.example.com:http', false],
    ['me@shop.example.com', false],
    ['http:/shop.example.com', false],
    ['mailto:me', false],
    ['shop.example.com', true],
    ['https://', false],
    ['https://{{HOST}}:{{PORT}}/{{PATH}}', true],
    ['{{BASE}}/x', true],
    ['HTTP://x', true],
  ])('take the address %s: %s', (url, valid) => expect(problems({ url })).toEqual(valid ? [] : ['request.url']))

  it('refuse header names and values that would break a request apart or could not be sent', () => {
    const headers = [
      { key: 'x y', value: 'a' },
      { key: 'ok', value: 'a\r\nevil: 1' },
      { key: 'ok', value: 'caf\u00e9\tau lait {{HOW}}' },
      { key: 'ok', value: '\u2713' },
      { key: 'ok', value: '\u0001' },
    ]
    const values = [1, 3, 4].map((index) => `request.headers.${index}.value`)
    expect(problems({ headers })).toEqual(['request.headers.0.key', ...values])
  })

  it.each([
    [{ source: 'STATUS_CODE', comparison: 'HAS_KEY', target: 'a' }, 'comparison'],
    [{ source: 'STATUS_CODE', comparison: 'LESS_THAN', target: 'x' }, 'target'],
    [{ source: 'STATUS_CODE', comparison: 'EQUALS', target: 'OK' }, 'target'],
    [{ source: 'STATUS_CODE', comparison: 'NOT_EQUALS', target: '' }, 'target'],
    [{ source: 'RESPONSE_TIME', comparison: 'EQUALS', target: '5 s' }, 'target'],
    [{ source: 'JSON_BODY', comparison: 'EQUALS', target: '1' }, 'property'],
    [{ source: 'JSON_BODY', property: 'a.b', comparison: 'EQUALS', target: '1' }, 'property'],
    [{ source: 'JSON_BODY', property: '$.a', comparison: 'EQUALS', regex: '(' }, 'regex'],
    [{ source: 'TEXT_BODY', property: '(?<=x)', comparison: 'NOT_EMPTY' }, 'property'],
  ])('refuse the assertion %j', (assertion, field) => {
    expect(problems({ assertions: [assertion] })).toContain(`request.assertions.0.${field}`)
  })
})

it('a source with options takes no other property', () => {
  const source = tcpCheckType.assertionSources.RESPONSE_TIME
  if (source === undefined) throw new Error('TCP measures a response time')
  const property = { label: 'Statistic', placeholder: 'avg', required: true, options: ['avg', 'max'] }
  const type = { ...tcpCheckType, assertionSources: { RESPONSE_TIME: { ...source, property } } }
  const assertion = (name: string) => ({
    source: 'RESPONSE_TIME',
    comparison: 'LESS_THAN',
    property: name,
    target: '1',
  })
  const assertions = [assertion('avg'), assertion('median')]
  const sent = createSchema(type).parse({ name: 'a', request: { hostname: 'h', port: 1, assertions } })
  expect(ruleProblems(type, completeDefinition(type, sent, checkId))).toEqual([
    { path: 'request.assertions.1.property', message: 'must be one of avg, max, got "median"' },
  ])
})

describe('an updated check', () => {
  it('keeps what was not sent and replaces nested objects whole', () => {
    const stored = create({ request: { ...request, method: 'POST' }, tags: ['a'], retryStrategy: { type: 'LINEAR' } })
    const merged = update(stored, { request: { url: 'https://other.example.com/' }, maxResponseTime: null })
    expect(merged).toMatchObject({ tags: ['a'], maxResponseTime: null, retryStrategy: { type: 'LINEAR' } })
    expect(merged.request).toMatchObject({ url: 'https://other.example.com/', method: 'GET' })
    expect(update(stored, { retryStrategy: null }).retryStrategy).toBeNull()
  })

  it('gets a new offset with a new frequency, unless its owner chose one', () => {
    const assigned = create({ request, frequency: 10 })
    expect(update(assigned, { frequency: 0 }).frequencyOffset).toBe(assignedFrequencyOffset(checkId, 0))
    const other = assignedFrequencyOffset(checkId, 10) === 77 ? 78 : 77
    const chosen = create({ request, frequency: 10, frequencyOffset: other })
    const merged = update(chosen, { frequency: 5 })
    expect(merged.frequencyOffset).toBe(other)
    expect(ruleProblems(apiCheckType, merged).map(({ path }) => path)).toEqual(['frequencyOffset'])
    expect(update(chosen, { frequency: 5, frequencyOffset: 50 })).toMatchObject({ frequencyOffset: 50 })
  })

  it('always has an offset that fits when none was ever sent', () => {
    fc.assert(
      fc.property(fc.constantFrom(...frequencies), fc.constantFrom(...frequencies), (before, after) => {
        const merged = update(create({ request, frequency: before }), { frequency: after })
        expect(isFrequencyOffset(after, merged.frequencyOffset as number)).toBe(true)
      }),
    )
  })
})

describe('secrets of a check', () => {
  const variables = [
    { key: 'A', value: 'secret-a', secret: true },
    { key: 'B', value: 'plain', secret: false },
    { key: 'C', value: 'secret-c', secret: true },
  ]
  const stored = create({
    request: { ...request, basicAuth: { username: 'joe', password: 'hunter2' } },
    environmentVariables: variables,
  })
  const masked = maskSecrets(apiCheckType, stored)

  it('are known by their place and masked in answers', () => {
    expect([...secretsOf(apiCheckType, stored)]).toEqual([
      ['request.basicAuth.password', 'hunter2'],
      ['environmentVariables.0.value', 'secret-a'],
      ['environmentVariables.2.value', 'secret-c'],
    ])
    expect(JSON.stringify(masked)).not.toMatch(/hunter2|secret-a|secret-c/)
    expect(JSON.stringify(masked)).toContain('plain')
  })

  it('survive their mask being sent back, in any order', () => {
    expect(update(stored, JSON.parse(JSON.stringify(masked)) as Record<string, unknown>)).toEqual(stored)
    const reordered = [variables[2], variables[0]].map((variable) => ({ ...variable, value: secretMask }))
    const values = (
      update(stored, { environmentVariables: reordered }).environmentVariables as { value: string }[]
    ).map(({ value }) => value)
    expect(values).toEqual(['secret-c', 'secret-a'])
  })

  it('cannot become readable values by their mask', () => {
    const laidOpen = [{ key: 'A', value: secretMask, secret: false }]
    const problems = validateWhole(apiCheckType, update(stored, { environmentVariables: laidOpen }))
    expect(problems).toEqual([{ path: 'environmentVariables.0.value', message: 'is a mask; send the value itself' }])
  })

  it('are replaced by what is sent instead', () => {
    const sent = { request: { ...request, basicAuth: { username: 'joe', password: 'new' } } }
    expect(update(stored, sent)).toMatchObject({ request: { basicAuth: { password: 'new' } } })
  })
})

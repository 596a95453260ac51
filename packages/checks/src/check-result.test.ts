import { checkResultSchema } from '@vedette/wire'
import { z } from 'zod'
import { expect, test } from 'vitest'
import { goodEvidence } from './browser/contract.fixture.ts'
import { checkResult, typeParts } from './check-result.ts'
import { checkTypes } from './check-types.ts'

const none = Object.fromEntries(Object.keys(typeParts.shape).map((key) => [key, null]))

test('a result has a key for every part of the contract and of every check type that is built', () => {
  const contract = ['apiCheckResult', 'browserCheckResult', 'multiStepCheckResult', 'agenticCheckResult']
  const built = checkTypes.flatMap(({ resultKey }) => resultKey ?? [])
  expect(new Set(Object.keys(typeParts.shape))).toEqual(new Set([...contract, ...built]))
  expect(Object.keys(checkResult.shape)).toEqual(expect.arrayContaining(Object.keys(typeParts.shape)))
})

test('keeps its name in the API document, whatever other schemas of results are made', () => {
  expect(z.globalRegistry.get(checkResultSchema(z.object({})))).toBeUndefined()
  expect(z.globalRegistry.get(checkResult)?.id).toBe('CheckResult')
})

test('parts are null, or what the contract and the check types that are built say', () => {
  expect(typeParts.parse(none)).toEqual(none)
  expect(typeParts.safeParse({ ...none, browserCheckResult: goodEvidence }).success).toBe(true)
  expect(typeParts.safeParse({ ...none, browserCheckResult: { pages: [] } }).success).toBe(false)
  expect(typeParts.safeParse({ ...none, browserCheckResult: [] }).success).toBe(false)
  expect(typeParts.safeParse({ ...none, agenticCheckResult: {} }).success).toBe(false)
  expect(typeParts.safeParse({ ...none, apiCheckResult: {} }).success).toBe(false)
})

const scheduled = checkTypes.filter(({ mode }) => mode.kind === 'scheduled')

test.each(scheduled.map((type) => [type.title, type] as const))('the part of type %s is one of its key', (_, type) => {
  const error = { phase: 'tcp', code: 'ECONNREFUSED', text: 'The connection was refused', network: true }
  const part = type.toResult({}, { evidence: undefined, error, assertions: [], cut: false })
  const parts = type.resultKey === null ? none : { ...none, [type.resultKey]: part }
  expect(typeParts.strict().parse(parts)).toEqual(parts)
})

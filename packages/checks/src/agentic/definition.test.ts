import { expect, test } from 'vitest'
import { givenDefinition } from '../../test-support/jobs.ts'
import { hasCommonField } from '../core/definition/check-schema.ts'
import { goodEvidence } from './contract.fixture.ts'
import { agenticCheckType } from './definition.ts'

const definition = givenDefinition(agenticCheckType, { prompt: 'Look.' })
const judge = (changes: Partial<typeof goodEvidence>) =>
  agenticCheckType.judge(definition, { ...goodEvidence, ...changes }, undefined)

test('fails with what kept the agent from its work, or with the first condition that does not hold', () => {
  expect(judge({})).toBeUndefined()
  const condition = { condition: 'the price', passed: false, expected: '10 €', actual: '12 €' }
  expect(judge({ assertions: [...goodEvidence.assertions, condition] })).toBe('Expected the price: 10 €, got 12 €')
  expect(judge({ assertions: [condition], errors: [{ error: { message: 'No tokens left' } }] })).toBe('No tokens left')
  expect(judge({ errors: [{}] })).toBe('The agent failed without a message')
})

test('has no retries, private locations, parallel runs, expected failures and incidents', () => {
  for (const name of [
    'retryStrategy',
    'doubleCheck',
    'privateLocations',
    'runParallel',
    'shouldFail',
    'triggerIncident',
  ] as const)
    expect(hasCommonField(agenticCheckType, name), name).toBe(false)
  expect(definition).toMatchObject({ frequency: 10, agentRuntime: { skills: [] } })
})

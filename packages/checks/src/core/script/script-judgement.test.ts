import { expect, test } from 'vitest'
import { judgeCode } from './script-judgement.ts'

const thrown = (...messages: string[]) => ({ errors: messages.map((message) => ({ message })) })
const refused = { phase: 'tcp', code: 'ECONNREFUSED', text: 'The connection was refused', network: true }

test.each([
  ['nothing was thrown', false, thrown(), undefined],
  ['one error', false, thrown('Timeout\n  at line 3'), 'Timeout'],
  ['two errors', false, thrown('a', 'b'), 'a (and 1 more error)'],
  ['three errors', false, thrown('a', 'b', 'c'), 'a (and 2 more errors)'],
  ['an error without a message', false, thrown(' '), 'The code failed without a message'],
  ['an expected error', true, thrown('a'), undefined],
  ['no error where one is expected', true, thrown(), 'Expected the code to fail, but it passed'],
  ['code that did not run', true, undefined, 'The code did not run'],
])('the verdict on %s', (_, shouldFail, evidence, cause) => {
  expect(judgeCode({ shouldFail }, evidence, undefined)).toBe(cause)
})

test('what kept the code from running fails, whatever is expected', () => {
  for (const shouldFail of [true, false])
    expect(judgeCode({ shouldFail }, thrown(), refused)).toBe('The connection was refused')
})

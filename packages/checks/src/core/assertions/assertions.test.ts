import { describe, expect, it } from 'vitest'
import type { Assertion } from '@vedette/wire'
import { assertionMessage } from './assertion-message.ts'
import { evaluateAssertions, type AssertionTask } from './assertions.ts'
import { compileJsonPath } from './json-path.ts'
import { firstGroup } from './regex.ts'

type Fields = Partial<Assertion> & { reads?: AssertionTask['reads'] }

function evaluate(subject: AssertionTask['subject'], { reads = 'jsonPath', ...fields }: Fields) {
  const assertion: Assertion = {
    source: 'JSON_BODY',
    comparison: 'EQUALS',
    property: '',
    target: '',
    regex: null,
    ...fields,
  }
  const [finding] = evaluateAssertions([{ assertion, reads, subject, keep: 500 }], {
    jsonPath: compileJsonPath,
    firstGroup,
  })
  if (finding === undefined) throw new Error('nothing was evaluated')
  return { ...finding, message: assertionMessage(assertion, finding) }
}

const shop = JSON.stringify({
  items: [
    { id: 1, price: 5, name: 'tea', tags: ['hot'] },
    { id: 2, price: 7, name: 'ice', tags: [] },
  ],
  'odd name': { length: 3 },
  total: 12,
  none: null,
})

describe('assertions on JSON', () => {
  it.each<[string, Fields, boolean]>([
    ['a member', { property: '$.total', target: '12' }, true],
    ['a member of a list', { property: '$.items[1].name', target: 'ice' }, true],
    ['a quoted member', { property: "$['odd name']['length']", target: '3' }, true],
    ['the whole document', { property: '$', comparison: 'HAS_KEY', target: 'items' }, true],
    ['every value of a wildcard', { property: '$.items[*].price', comparison: 'GREATER_THAN', target: '4' }, true],
    ['every value, one of which is wrong', { property: '$..price', comparison: 'LESS_THAN', target: '6' }, false],
    ['a filter', { property: '$.items[?@.price > 6].id', target: '2' }, true],
    ['a filter with a pattern', { property: "$.items[?match(@.name, 't.a')].id", target: '1' }, true],
    ['a filter with a search', { property: "$.items[?search(@.name, 'c')].id", target: '2' }, true],
    ['the length of a list', { property: '$.items.length', target: '2' }, true],
    ['the length of each list', { property: '$.items[*].tags.length', comparison: 'LESS_THAN', target: '2' }, true],
    ['the length of a text', { property: '$.items[0].name.length', target: '3' }, true],
    ['a member called length', { property: "$['odd name'].length", target: '3' }, true],
    ['nothing there', { property: '$.missing', target: '' }, false],
    ['nothing there as empty', { property: '$.missing', comparison: 'IS_EMPTY' }, true],
    ['an index from the end', { property: '$.items[-1].id', target: '2' }, true],
    ['null', { property: '$.none', comparison: 'IS_NULL' }, true],
    ['a regex on the value', { property: '$.items[0].name', regex: 't(.)', target: 'e' }, true],
  ])('look at %s', (_, fields, passed) => expect(evaluate(shop, fields).passed).toBe(passed))

  it('say which value failed', () => {
    expect(evaluate(shop, { property: '$..price', comparison: 'LESS_THAN', target: '6' }).message).toBe(
      'Expected JSON body $..price to be less than 6, got 7: value 2 of 2',
    )
  })

  it.each([
    ['<html>', 'the body is not JSON'],
    ['', 'the body is empty, not JSON'],
  ])('fail on %j, whatever they compare', (body, problem) => {
    for (const comparison of ['EQUALS', 'NOT_EQUALS', 'IS_EMPTY', 'NOT_CONTAINS'] as const) {
      expect(evaluate(body, { property: '$.a', comparison })).toMatchObject({ passed: false, problem })
    }
  })

  it('fail with a reason on a path that cannot be read', () => {
    expect(evaluate(shop, { property: '$.items[' }).problem).toContain('The JSONPath cannot be read')
  })

  it('fail on a document nested too deeply to walk', () => {
    const deep = `${'['.repeat(2000)}${']'.repeat(2000)}`
    expect(evaluate(deep, { property: '$..a' })).toMatchObject({ passed: false })
  })
})

describe('assertions on text', () => {
  it.each<[string, Fields, boolean]>([
    ['the first capture group', { property: 'id: (\\d+)', target: '42' }, true],
    ['the whole match without a group', { property: 'id: \\d+', target: 'id: 42' }, true],
    ['the text itself without a pattern', { property: '', comparison: 'CONTAINS', target: 'order' }, true],
    ['no match', { property: 'nope', comparison: 'IS_EMPTY' }, true],
    ['a number in a text', { property: 'id: (\\d+)', comparison: 'GREATER_THAN', target: '41' }, true],
  ])('look at %s', (_, fields, passed) => {
    expect(evaluate('order id: 42\nsecond line', { source: 'TEXT_BODY', reads: 'regex', ...fields }).passed).toBe(
      passed,
    )
  })

  it('fail on patterns RE2 does not have', () => {
    expect(evaluate('x', { reads: 'regex', property: '(?=x)' }).problem).toContain('RE2 syntax')
  })
})

describe('messages', () => {
  it.each<[Fields, string]>([
    [{ source: 'STATUS_CODE', target: '200' }, 'Expected status code to equal 200, got 503'],
    [{ source: 'STATUS_CODE', comparison: 'IS_NULL' }, 'Expected status code to be null, got 503'],
    [{ source: 'STATUS_CODE', comparison: 'EQUALS' }, 'Expected status code to equal "", got 503'],
  ])('read as a sentence', (fields, message) =>
    expect(evaluate(503, { reads: 'value', ...fields }).message).toBe(message),
  )

  it('stay short', () => {
    expect(evaluate('y'.repeat(5000), { reads: 'value', target: 'x'.repeat(5000) }).message.length).toBeLessThan(500)
  })
})

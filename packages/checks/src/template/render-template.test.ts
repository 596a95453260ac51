import { describe, expect, it } from 'vitest'
import { alertTemplates, renderTemplate, TemplateProblem, templateProblem, type Encoding } from './index.ts'

const runtime = { now: () => Date.UTC(2026, 2, 31, 15, 4, 5, 67), random: () => 0.5, uuid: () => 'the-uuid' }
const values = {
  CHECK_NAME: 'Shop "front" <b>',
  ALERT_TYPE: 'ALERT_FAILURE',
  RESPONSE_TIME: 1234.5,
  TAGS: ['team:shop', 'env=prod', 'plain'],
  IS_REMINDER: false,
  EMPTY: [],
  NOTHING: null,
  NUMBER_TEXT: '42',
  check: { id: 'c1', steps: [{ name: 'one' }, { name: 'two' }] },
}
const render = (text: string, encoding: Encoding = 'text', given: Record<string, unknown> = values) =>
  renderTemplate(alertTemplates, text, { values: given, encoding, runtime })

describe('a template', () => {
  it('prints values, paths and nothing for what is not there', () => {
    expect(
      render('{{CHECK_NAME}}|{{check.id}}|{{check.steps.[1].name}}|{{MISSING}}|{{check.no.such}}|{{NOTHING}}'),
    ).toBe('Shop "front" <b>|c1|two|||')
  })

  it('chooses with if, else if, else and unless', () => {
    const text = '{{#if IS_REMINDER}}again{{else if (eq ALERT_TYPE "ALERT_FAILURE")}}down{{else}}other{{/if}}'
    expect(render(text)).toBe('down')
    expect(render(text, 'text', { IS_REMINDER: true })).toBe('again')
    expect(render(text, 'text', {})).toBe('other')
    expect(render('{{#unless EMPTY}}none{{/unless}}')).toBe('none')
  })

  it('loops with index, first, last, block parameters, parents and an else', () => {
    expect(render('{{#each TAGS}}{{@index}}={{this}}{{#unless @last}},{{/unless}}{{/each}}')).toBe(
      '0=team:shop,1=env=prod,2=plain',
    )
    expect(render('{{#each check.steps as |step i|}}{{i}}{{step.name}}{{../ALERT_TYPE}} {{/each}}')).toBe(
      '0oneALERT_FAILURE 1twoALERT_FAILURE ',
    )
    expect(render('{{#each EMPTY}}x{{else}}nothing{{/each}}')).toBe('nothing')
    expect(render('{{#each check}}{{@key}} {{/each}}')).toBe('id steps ')
    expect(render('{{#with check}}{{id}}{{/with}}{{#TAGS}}[{{this}}]{{/TAGS}}{{^EMPTY}}!{{/EMPTY}}')).toBe(
      'c1[team:shop][env=prod][plain]!',
    )
  })

  it('keeps what stands in quotes, comments and raw blocks out of the way', () => {
    expect(render('a{{!-- note {{x}} --}}b {{~ALERT_TYPE~}} c')).toBe('abALERT_FAILUREc')
    expect(render('\\{{CHECK_NAME}}')).toBe('{{CHECK_NAME}}')
  })

  it.each([
    ['{{#gt RESPONSE_TIME 1000}}slow{{else}}fine{{/gt}}', 'slow'],
    ['{{#gt "9" "10"}}text{{else}}number{{/gt}}', 'number'],
    ['{{#lte RESPONSE_TIME 1234.5}}y{{/lte}}{{#lt 1 1}}n{{/lt}}{{#gte 1 1}}y{{/gte}}', 'yy'],
    ['{{#is NUMBER_TEXT 42}}y{{/is}}{{#isnt NUMBER_TEXT 43}}y{{/isnt}}', 'yy'],
    ['{{#compare 3 "<" 4}}y{{/compare}}{{compare 3 "typeof" "number"}}', 'ytrue'],
    ['{{#and 1 TAGS}}y{{/and}}{{#and 1 EMPTY}}n{{/and}}{{#or 0 "" 5}}y{{/or}}{{or 0 "" 5}}', 'yy5'],
    ['{{#neither 0 ""}}y{{/neither}}{{#not 0}}y{{/not}}', 'yy'],
    ['{{isTruthy 1}}{{isFalsey ""}}', 'truetrue'],
    ['{{#contains TAGS "plain"}}y{{/contains}}{{#has CHECK_NAME "front"}}y{{/has}}{{#has check "id"}}y{{/has}}', 'yyy'],
    ['{{default MISSING NOTHING "x"}}', 'x'],
    ['{{#ifEven 4}}y{{/ifEven}}{{#ifOdd 3}}y{{/ifOdd}}{{#ifOdd -3}}y{{/ifOdd}}{{#ifNth 3 9}}y{{/ifNth}}', 'yyyy'],
    ['{{#unlessEq 1 2}}y{{/unlessEq}}{{#unlessGt 1 2}}y{{/unlessGt}}{{#unlessGteq 2 2}}n{{/unlessGteq}}', 'yy'],
    ['{{#unlessLt 2 2}}y{{/unlessLt}}{{#unlessLteq 2 2}}n{{/unlessLteq}}', 'y'],
    ['{{#startsWith "Shop" CHECK_NAME}}y{{else}}n{{/startsWith}}', 'y'],
    ['{{tagValue TAGS "team"}} {{tagValue TAGS "env"}} {{tagValue TAGS "no" "none"}}', 'shop prod none'],
    ['{{replace "a-b-b" "b" "$&c"}}', 'a-$&c-b'],
    ['{{split "eu-west-1" "-" 1}} {{split "a,b" ","}}', 'west a, b'],
    ['{{$UUID}} {{$RANDOM_NUMBER}} {{year}}', 'the-uuid 5000 2026'],
    ['{{lookup check "id"}}', 'c1'],
  ])('%s says %s', (text, expected) => {
    expect(templateProblem(text)).toBeUndefined()
    expect(render(text)).toBe(expected)
  })

  it.each([
    ['{{moment "YYYY-MM-DD HH:mm:ss.SSS"}}', '2026-03-31 15:04:05.067'],
    ['{{date "dddd, MMMM Do YYYY, h:mm a [at] Z"}}', 'Tuesday, March 31st 2026, 3:04 pm at +00:00'],
    ['{{moment "2 days ago" "YYYY-MM-DD"}}', '2026-03-29'],
    ['{{moment "last week" "X"}}', String(Date.UTC(2026, 2, 24, 15, 4, 5) / 1000)],
    ['{{moment "last month" "YYYY-MM-DD"}}', '2026-02-28'],
    ['{{moment "in 3 hours" "HH"}} {{moment "an hour from now" "HH"}}', '18 16'],
    ['{{moment "2026-01-02T03:04:05Z" "D/M"}} {{moment STARTED "YYYY"}}', '2/1 1970'],
    ['{{moment}}', '2026-03-31T15:04:05.067Z'],
  ])('%s is %s', (text, expected) => {
    expect(render(text, 'text', { STARTED: 0 })).toBe(expected)
  })
})

describe('the encoding of values', () => {
  it('escapes text inside JSON strings and writes JSON values outside of them', () => {
    const text =
      '{"t":"{{CHECK_NAME}}","tags":{{TAGS}},"ms":{{RESPONSE_TIME}},"n":{{NOTHING}},"id":{{NUMBER_TEXT}},"s":{{ALERT_TYPE}},"l":"{{TAGS}}"}'
    expect(JSON.parse(render(text, 'json'))).toEqual({
      t: 'Shop "front" <b>',
      tags: ['team:shop', 'env=prod', 'plain'],
      ms: 1234.5,
      n: null,
      id: 42,
      s: 'ALERT_FAILURE',
      l: 'team:shop, env=prod, plain',
    })
  })

  it('keeps a hostile value inside its JSON string', () => {
    const hostile = { X: '","admin":true,"y":"\\', Y: 'line\nbreak\u2028\\"' }
    const text = '{"a":"{{X}}","b":"{{Y}}","c":"\\"{{X}}"}'
    expect(JSON.parse(render(text, 'json', hostile))).toEqual({ a: hostile.X, b: hostile.Y, c: `"${hostile.X}` })
  })

  it('percent-encodes in URLs, but not a base URL at the start', () => {
    const given = { BASE: 'https://hook.example/x?a=1', Q: 'a b&c=/../\ud800' }
    expect(render('{{BASE}}&q={{Q}}', 'url', given)).toBe('https://hook.example/x?a=1&q=a%20b%26c%3D%2F..%2F%EF%BF%BD')
    expect(render('https://h/{{{Q}}}', 'url', { Q: 'a/b' })).toBe('https://h/a/b')
  })

  it('lets no value start another header or an HTML tag', () => {
    expect(render('{{X}}', 'header', { X: 'a\r\nx-evil: 1 \u2713' })).toBe('a x-evil: 1 %E2%9C%93')
    expect(render('<p title="{{X}}">{{{X}}}', 'html', { X: '"><i' })).toBe('<p title="&quot;&gt;&lt;i">"><i')
  })
})

describe('a template that reaches for more', () => {
  it.each([
    '{{constructor}}',
    '{{constructor.constructor}}',
    '{{__proto__}}',
    '{{this.__proto__.polluted}}',
    '{{check.constructor.name}}',
    '{{CHECK_NAME.constructor}}',
    '{{TAGS.map}}',
    '{{lookup check "constructor"}}',
    '{{lookup (lookup check "__proto__") "constructor"}}',
    '{{#with constructor}}x{{/with}}',
    '{{#each __proto__}}x{{/each}}',
    '{{[constructor]}}',
    '{{../constructor}}',
    '{{@root.constructor}}',
    '{{toString}}',
    '{{valueOf}}',
    '{{hasOwnProperty}}',
  ])('%s prints nothing', (text) => {
    expect(render(text)).toBe('')
  })

  it.each([
    ['{{constructor "return process"}}', 'unknown helper "constructor"'],
    ['{{__defineGetter__ "a" "b"}}', 'unknown helper "__defineGetter__"'],
    ['{{#if (toString 1)}}x{{/if}}', 'unknown helper "toString"'],
    ['{{log "x"}}', 'unknown helper "log"'],
    ['{{> etc/passwd}}', 'partials'],
    ['{{> (lookup check "id")}}', 'partials'],
    ['{{#*inline "x"}}y{{/inline}}', 'partials or decorators'],
    ['{{* decorate}}', 'partials or decorators'],
    ['{{#if}}x{{/if}}', '"if" takes 1 value, got 0'],
    ['{{each TAGS}}', '"each" must be a block'],
    ['{{#tagValue TAGS "x"}}y{{/tagValue}}', 'cannot be a block'],
    ['{{#if x}}', 'not closed'],
    ['{{#if x}}{{/each}}', "if doesn't match each"],
    ['{"a":{"b":{{X}}}}', 'too many closing braces'],
    ['a\nb\n{{', 'on line 3'],
    ['{{#a}}'.repeat(101), 'at most 100 blocks'],
    ['{{#if a}}' + '{{else if b}}'.repeat(300) + '{{/if}}', 'at most 100 blocks'],
    [`{{eq ${'(not '.repeat(5000)}a${')'.repeat(5000)} 1}}`, 'at most 100 "("'],
    ['{{a}}'.repeat(501), 'at most 500 tags'],
    ['x'.repeat(32_769), 'at most 32768 characters'],
  ])('is refused (%#)', (text, reason) => {
    expect(templateProblem(text)).toContain(reason)
    expect(() => render(text)).toThrow(TemplateProblem)
  })

  it('is stopped when it loops, swells or prints too much', () => {
    const many = { XS: Array.from({ length: 200 }, (_, i) => i), BIG: 'x'.repeat(20_000) }
    const nested = '{{#each XS}}'
    expect(() =>
      render('{{#each XS}}{{#each ../XS}}{{#each ../../XS}}.{{/each}}{{/each}}{{/each}}', 'text', many),
    ).toThrow('steps')
    expect(() => render(`${nested}{{../BIG}}{{/each}}`, 'text', many)).toThrow('rendered to more than')
    const doubling = '{{replace (replace (replace BIG "x" BIG) "x" BIG) "x" (replace BIG "x" BIG)}}'
    expect(() => render(doubling, 'text', many)).toThrow('longer than')
    expect(() => render('{{#each XS}}x{{/each}}', 'text', { XS: Array.from({ length: 1_000_000 }) })).toThrow('steps')
  })

  it('reads no accessor and no function of a value', () => {
    const trap = Object.defineProperty({ f: () => 'ran' }, 'g', { get: () => 'ran', enumerable: true })
    expect(render('{{t.f}}{{t.g}}', 'text', { t: trap })).toBe('')
  })
})

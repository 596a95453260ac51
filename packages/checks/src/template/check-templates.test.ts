import { describe, expect, it } from 'vitest'
import { templateFiller, type TemplateScope } from './check-templates.ts'
import { TemplateProblem } from './template-problem.ts'

const scope: TemplateScope = {
  variables: [
    { key: 'HOST', value: 'a b&c', secret: false },
    { key: 'NESTED', value: '{{HOST}}', secret: false },
    { key: 'TWICE', value: 'old', secret: false },
    { key: 'TWICE', value: 'new', secret: true },
  ],
  clock: { now: () => Date.UTC(2026, 2, 31, 14, 5, 9, 7) },
  random: () => 0.5,
}
const render = templateFiller(scope)

describe('templates', () => {
  it('insert variables, encoded with two braces and as they are with three', () => {
    expect(render('https://x/{{HOST}}?q={{{HOST}}}', encodeURIComponent)).toBe('https://x/a%20b%26c?q=a b&c')
  })

  it('leave text without templates and braces without a name alone', () => {
    expect(render('plain {"a":{"b":{}}} {{}} {{ 1 }}')).toBe('plain {"a":{"b":{}}} {{}} {{ 1 }}')
    expect(render('{"a":{"b":{{TWICE}}}}')).toBe('{"a":{"b":new}}')
    expect(render('{{{TWICE}}')).toBe('{new')
  })

  it('take the last of several variables with one name', () => expect(render('{{ TWICE }}')).toBe('new'))

  it('never read an inserted value as a template', () => expect(render('{{NESTED}}')).toBe('{{HOST}}'))

  it.each(['{{MISSING}}', '{{constructor}}', '{{__proto__}}', '{{toString}}', '{{$NOPE}}'])(
    'refuse %s by name',
    (text) => {
      expect(() => render(text)).toThrow(TemplateProblem)
      expect(() => render(text)).toThrow(text)
    },
  )

  it('refuse helpers with arguments they do not take', () => {
    expect(() => render('{{moment "whenever" "YYYY"}}')).toThrow('cannot be filled')
    expect(() => render('{{HOST "x"}}')).toThrow('cannot be filled')
  })

  it('make a version 4 UUID and a number up to 10000', () => {
    expect(render('{{$UUID}}')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(render('{{$RANDOM_NUMBER}}')).toBe('5000')
    expect(templateFiller({ ...scope, random: () => 0.999_999_9 })('{{$RANDOM_NUMBER}}')).toBe('10000')
  })

  it.each([
    ['{{moment "YYYY-MM-DD HH:mm:ss.SSS"}}', '2026-03-31 14:05:09.007'],
    ['{{moment}}', '2026-03-31T14:05:09.007Z'],
    ['{{moment "2 days ago" "YYYY-MM-DD"}}', '2026-03-29'],
    ['{{moment "last week" "X"}}', String(Date.UTC(2026, 2, 24, 14, 5, 9) / 1000)],
    ['{{moment "last month" "YYYY-MM-DD"}}', '2026-02-28'],
    ['{{moment "in 3 hours" "h:mm A"}}', '5:05 PM'],
    ['{{moment "1 year from now" "YYYY"}}', '2027'],
    ['{{moment "tomorrow" "dddd, MMMM Do YYYY"}}', 'Wednesday, April 1st 2026'],
    ['{{moment "[day] DDDD, [week] W"}}', 'day 090, week 14'],
    ["{{moment 'x'}}", String(Date.UTC(2026, 2, 31, 14, 5, 9, 7))],
  ])('write %s as %s', (text, expected) => expect(render(text)).toBe(expected))

  it.each([
    '{"a":{"b":1}}',
    '{"a":{"b":{"c":{}}}}',
    '{"list":[{"a":{"b":[{}]}}]}',
    'query { user(id: "1") { name friends { name } } }',
    'query Q($id: ID!) {user(id:$id){name posts{edges{node{id}}}}}',
    '{{{ }}}',
    '{{{{ }}}}',
    '{{ }} {{"x"}} {{"a":1}} {{1}} {{[0]}} {{.}} {{@index}}',
    '{{ unclosed',
    'closed }} only }}}',
    '{{{HOST} }}',
    '}}{{',
    '{{#if HOST}}x{{else',
    '{{#if HOST}}{{/if}}{{!-- note --}}{{> part}}{{^HOST}}{{/HOST}}{{&HOST}}{{~HOST~}}',
    '{{/each}}',
    '\\{{',
  ])('leave %s as it is', (text) => expect(render(text, encodeURIComponent)).toBe(text))

  it.each([
    ['\\{{TWICE}}', '\\new'],
    ['{"a":{"b":"{{TWICE}}"}}', '{"a":{"b":"new"}}'],
    ['query { user(id: {{TWICE}}) { name }}', 'query { user(id: new) { name }}'],
    ['{{{{TWICE}}}}', '{new}'],
    ['{{TWICE}}}', 'new}'],
    ['{{ {{TWICE}} }}', '{{ new }}'],
    ['{{\nTWICE\n}}', 'new'],
    ['{{moment YYYY-MM-DD,HH}}', '2026-03-31,14'],
    ['{{moment HOST}}', '14OST'],
    ['{{moment "2026-01-02"}}', '2026-01-02'],
    ['{{$RANDOM_NUMBER 1 6}}', '5000'],
    ['{{moment ""}}', ''],
  ])('read %s as %s', (text, expected) => expect(render(text)).toBe(expected))

  it('let a variable have the name of a helper or a word of Handlebars', () => {
    const names = ['moment', 'if', 'this', 'else', 'true', 'each', 'lookup', '__proto__', 'constructor']
    const variables = names.map((key) => ({ key, value: `<${key}>`, secret: false }))
    const fill = templateFiller({ ...scope, variables })
    expect(names.map((name) => fill(`{{${name}}}`))).toEqual(names.map((name) => `<${name}>`))
    expect(fill('{{moment "YYYY"}}')).toBe('2026')
  })

  it('fill the same text anew every time', () => {
    let now = 0
    const fill = templateFiller({ ...scope, clock: { now: () => (now += 1000) } })
    expect([fill('{{moment "s"}}'), fill('{{moment "s"}}')]).toEqual(['1', '2'])
    const other = templateFiller({ ...scope, variables: [{ key: 'TWICE', value: 'mine', secret: false }] })
    expect([render('{{TWICE}}'), other('{{TWICE}}')]).toEqual(['new', 'mine'])
  })

  it.each([
    '{{HOST.length}}',
    '{{HOST.constructor}}',
    '{{this}}',
    '{{lookup}}',
    '{{constructor.constructor}}',
    '{{this.__proto__}}',
    '{{hasOwnProperty}}',
    '{{moment.constructor}}',
    '{{year}}',
  ])('reach nothing but variables and helpers with %s', (text) =>
    expect(() => render(text)).toThrow(`unknown variable ${text}`),
  )

  it.each([
    ['{{constructor "return process"}}', 'unknown helper "constructor"'],
    ['{{replace "a" "a" "b"}}', 'unknown helper "replace"'],
    ['{{moment (lookup this "constructor")}}', '"moment" takes 0 to 2 values, got 4'],
    ['{{moment "999999 years ago" "YYYY"}}', 'out of range'],
  ])('refuse %s because of %s', (text, reason) => {
    expect(() => render(text)).toThrow(TemplateProblem)
    expect(() => render(text)).toThrow(`Template ${text} cannot be filled: `)
    expect(() => render(text)).toThrow(reason)
  })

  it('stop before they make a text too long to send', () => {
    const fill = templateFiller({ ...scope, variables: [{ key: 'BIG', value: 'x'.repeat(20_000), secret: false }] })
    expect(fill('{{BIG}}'.repeat(500))).toHaveLength(10_000_000)
    expect(() => fill('{{BIG}}'.repeat(600))).toThrow('more than 10485760 characters')
  })

  it('read the longest body there can be, however full of braces', () => {
    const texts = ['{{A'.repeat(333_333), '{'.repeat(1_000_000), `{{A${' '.repeat(999_990)}`]
    expect(texts.map((text) => render(text) === text)).toEqual([true, true, true])
    expect(render('{{TWICE}}'.repeat(100_000))).toBe('new'.repeat(100_000))
  })
})

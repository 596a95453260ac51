import { describe, expect, it } from 'vitest'
import { renderTemplate, TemplateProblem, type TemplateScope } from './template.ts'

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
const render = (text: string, encode?: (value: string) => string) => renderTemplate(text, scope, encode)

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
    expect(renderTemplate('{{$RANDOM_NUMBER}}', { ...scope, random: () => 0.999_999_9 })).toBe('10000')
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
})

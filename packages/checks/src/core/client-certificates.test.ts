import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { certificateFor, isHostOf } from './client-certificates.ts'

describe('a pattern of hosts', () => {
  it.each([
    ['shop.example', 'shop.example'],
    ['SHOP.example', 'shop.EXAMPLE.'],
    ['*.shop.example', 'a.shop.example'],
    ['*.shop.example', 'a.b.shop.example'],
    ['api-*.shop.example', 'api-7.shop.example'],
    ['*', '127.0.0.1'],
    ['a*b*c', 'abbc'],
  ])('%s is for %s', (pattern, host) => expect(isHostOf(pattern, host)).toBe(true))

  it.each([
    ['shop.example', 'a.shop.example'],
    ['*.shop.example', 'shop.example'],
    ['*.shop.example', 'shop.example.evil.test'],
    ['shop.example', 'shopxexample'],
    ['ab*ba', 'aba'],
    ['a*b*c', 'acb'],
  ])('%s is not for %s', (pattern, host) => expect(isHostOf(pattern, host)).toBe(false))

  it('means what the same regular expression means', () => {
    const text = (...letters: string[]) =>
      fc.array(fc.constantFrom(...letters), { maxLength: 8 }).map((all) => all.join(''))
    fc.assert(
      fc.property(text('a', 'b', '*'), text('a', 'b'), (pattern, host) => {
        expect(isHostOf(pattern, host)).toBe(new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(host))
      }),
    )
  })
})

describe('of several certificates', () => {
  const named = (...hosts: string[]) => hosts.map((host, age) => ({ host, age }))
  const found = (...hosts: string[]) => certificateFor('a.shop.example', named(...hosts))?.age

  it('the newest for the host alone is taken before newer ones with wildcards', () => {
    expect(found('*.shop.example', 'a.shop.example', 'a.shop.example')).toBe(1)
  })
  it('the newest with wildcards is taken when none is for the host alone', () => {
    expect(found('b.shop.example', '*.shop.example', '*.example')).toBe(1)
  })
  it('none is taken for another host', () => expect(found('b.shop.example', '*.shop.test')).toBeUndefined())
})

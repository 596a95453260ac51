import { describe, expect, it } from 'vitest'
import { classifyAddress, spellingsOf } from './address.ts'

describe('an IPv4 address inside an IPv6 one', () => {
  it.each([
    ['mapped', '::ffff:10.1.2.3'],
    ['translated', '::ffff:0:10.1.2.3'],
    ['compatible', '::10.1.2.3'],
    ['NAT64', '64:ff9b::10.1.2.3'],
    ['local NAT64 with 48 bits', '64:ff9b:1:a01:2:300::'],
    ['local NAT64 with 56 bits', '64:ff9b:1:a:1:203::'],
    ['local NAT64 with 64 bits', '64:ff9b:1:0:a:102:300:0'],
    ['local NAT64 with 96 bits', '64:ff9b:1::10.1.2.3'],
    ['6to4', '2002:a01:203::'],
    ['Teredo server', '2001:0:a01:203::'],
    ['Teredo client', '2001:0:4136:e378:8000:63bf:f5fe:fdfc'],
    ['ISATAP', '2606:4700::5efe:10.1.2.3'],
    ['global ISATAP', '2606:4700::200:5efe:10.1.2.3'],
  ])('is found as %s', (_, address) => {
    expect(spellingsOf(address)).toContain('10.1.2.3')
    expect(classifyAddress(address).reach).not.toBe('public')
  })

  it('is not seen where there is none', () => {
    expect(spellingsOf('2606:4700:0:0::1111')).toEqual(['2606:4700::1111'])
    expect(spellingsOf('10.1.2.3')).toEqual(['10.1.2.3'])
    expect(spellingsOf('shop.example')).toEqual([])
  })
})

it('an address is denied by the strictest rule that holds for it, and the rule says so', () => {
  expect(classifyAddress('169.254.1.1')).toEqual({
    reach: 'forbidden',
    rule: 'link-local and metadata addresses (169.254.0.0/16)',
  })
  expect(classifyAddress('64:ff9b::169.254.1.1')).toEqual(classifyAddress('169.254.1.1'))
  expect(classifyAddress('fe80::1%eth0')).toEqual({ reach: 'forbidden', rule: 'link-local addresses (fe80::/10)' })
  expect(classifyAddress('4000::1')).toMatchObject({ reach: 'private', rule: expect.stringContaining('2000::/3') })
  expect(classifyAddress('1.1.1.1')).toEqual({ reach: 'public', rule: '' })
})

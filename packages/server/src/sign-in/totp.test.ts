import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { base32, codeAt, otpauthUri, stepAt, stepOf } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

// RFC 6238, appendix B, the last six digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code of second %i is %s', (second, code) => {
  expect(codeAt(secret, stepAt(second * 1000))).toBe(code)
})

describe('a code', () => {
  const now = 1_111_111_111_000
  const step = stepAt(now)

  test.each([-1, 0, 1])('of %i steps from now counts', (distance) => {
    expect(stepOf(secret, codeAt(secret, step + distance), now)).toBe(step + distance)
  })

  test.each([-2, 2])('of %i steps from now does not', (distance) => {
    expect(stepOf(secret, codeAt(secret, step + distance), now)).toBeUndefined()
  })

  test.each(['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦'])('that is "%s" is none', (code) => {
    expect(stepOf(secret, code, now)).toBeUndefined()
  })
})

test('secrets are written in base 32 as RFC 4648 has it', () => {
  const words = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => base32(Buffer.from(text)))
  expect(words).toEqual(['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'])
})

test('different secrets are written differently', () => {
  const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 })
  fc.assert(
    fc.property(bytes, bytes, (a, b) => (base32(a) === base32(b)) === (Buffer.compare(Buffer.from(a), b) === 0)),
  )
})

test('the address for authenticators names issuer, person and secret', () => {
  const uri = new URL(otpauthUri(secret, 'ann+1@example.test'))
  expect(decodeURIComponent(uri.pathname)).toBe('/Vedette:ann+1@example.test')
  expect(uri.searchParams.get('secret')).toBe(base32(secret))
})

import { expect, test } from 'vitest'
import { sealingKeys, sealTo } from './index.ts'

const context = 'check 1, until 5'

test('what is sealed to a key is opened by its owner, and by nobody else', () => {
  const [owner, other] = [sealingKeys(), sealingKeys()]
  const sealed = sealTo(owner.publicKey)('{"password":"pärl"}', context)
  expect(sealed).not.toContain('password')
  expect(owner.open(sealed, context)).toBe('{"password":"pärl"}')
  expect(() => other.open(sealed, context)).toThrow()
})

test('a text that was changed, or stands in another context, is not opened', () => {
  const owner = sealingKeys()
  const sealed = sealTo(owner.publicKey)('secret', context)
  for (const at of [0, 20, 44, 60, sealed.length - 3]) {
    const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`
    expect(() => owner.open(changed, context), String(at)).toThrow()
  }
  expect(() => owner.open(sealed, 'check 1, until 6')).toThrow()
  for (const nothing of ['', '.', 'abc', `${owner.publicKey}.`]) expect(() => owner.open(nothing, context)).toThrow()
})

test('two texts sealed alike look different', () => {
  const seal = sealTo(sealingKeys().publicKey)
  expect(seal('secret', context)).not.toBe(seal('secret', context))
})

test('what is no key is refused', () => {
  for (const text of ['', 'abc', 'A'.repeat(42)]) expect(() => sealTo(text)).toThrow()
})

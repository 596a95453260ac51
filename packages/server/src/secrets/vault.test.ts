import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openVault, sealedBy } from './vault.ts'

const place = { account: 'a', table: 'checks', row: '1', field: 'request.basicAuth.password' }
const key = randomBytes(32)
const vault = openVault({ current: key })

test('what is sealed opens again, also nothing and any text', () => {
  for (const text of ['hunter2', '', 'ü 漢字 🛰', 'x'.repeat(100_000)]) {
    const sealed = vault.seal(text, place)
    expect(vault.open(sealed, place)).toBe(text)
    if (text !== '') expect(sealed).not.toContain(text)
  }
})

test('the same secret never looks the same twice', () => {
  expect(vault.seal('hunter2', place)).not.toBe(vault.seal('hunter2', place))
})

test.each(['account', 'table', 'row', 'field'] as const)('a secret moved to another %s does not open', (part) => {
  const sealed = vault.seal('hunter2', place)
  expect(() => vault.open(sealed, { ...place, [part]: 'other' })).toThrow('moved from another row')
})

test('names that only look alike when joined are different places', () => {
  const sealed = vault.seal('hunter2', { ...place, account: 'a|b', table: 'c' })
  expect(() => vault.open(sealed, { ...place, account: 'a', table: 'b|c' })).toThrow()
})

test('a changed byte in any part is noticed', () => {
  const parts = vault.seal('hunter2', place).split('.')
  for (let i = 2; i < parts.length; i += 1) {
    const bytes = Buffer.from(parts[i] ?? '', 'base64url')
    bytes[0] = (bytes[0] ?? 0) ^ 1
    const changed = parts.with(i, bytes.toString('base64url')).join('.')
    expect(() => vault.open(changed, place), `part ${i}`).toThrow('does not open')
  }
})

test.each([
  ['plain text', 'hunter2'],
  ['nothing', ''],
  ['another version', 'v2.a.b.c.d.e'],
])('%s is not taken for a sealed value', (_, text) => {
  expect(() => vault.open(text, place)).toThrow('not a sealed value')
})

test('a tag cut short is refused, so that guessing one stays hopeless', () => {
  const parts = vault.seal('hunter2', place).split('.')
  const short = parts.with(
    5,
    Buffer.from(parts[5] ?? '', 'base64url')
      .subarray(0, 4)
      .toString('base64url'),
  )
  expect(() => vault.open(short.join('.'), place)).toThrow('cut off')
})

test('another master key does not open it, unless it is given as an old one', () => {
  const sealed = vault.seal('hunter2', place)
  const next = randomBytes(32)
  expect(() => openVault({ current: next }).open(sealed, place)).toThrow('another master key')
  expect(openVault({ current: next, old: [key] }).open(sealed, place)).toBe('hunter2')
})

test('a sealed text names its key, and a vault seals with the current one', () => {
  const next = openVault({ current: randomBytes(32), old: [key] })
  expect(sealedBy(vault.seal('x', place))).toBe(vault.keyId)
  expect(sealedBy(next.seal('x', place))).toBe(next.keyId)
  expect(next.keyId).not.toBe(vault.keyId)
})

test('derived keys depend on the purpose and the master key only', () => {
  const lease = vault.deriveKey('lease')
  expect(lease).toHaveLength(32)
  expect(openVault({ current: key }).deriveKey('lease')).toEqual(lease)
  expect(vault.deriveKey('mask')).not.toEqual(lease)
  expect(openVault({ current: randomBytes(32) }).deriveKey('lease')).not.toEqual(lease)
})

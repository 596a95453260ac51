import { expect, it } from 'vitest'
import type { LeaseClaims } from '@vedette/wire'
import { attemptNamedBy, createLeaseTokens } from './lease-token.ts'

const tokens = createLeaseTokens(Buffer.alloc(32, 5))

const claims: LeaseClaims = {
  attemptId: '019b8e4c-8a00-8c1d-9d3b-0d2a4f7e6b11',
  sequenceId: '019b8e4c-8a00-8f02-8a51-6c1b9e0d7a22',
  accountId: '5c2f9a1e-7b34-4d60-8e1f-2a9b6c7d8e33',
  checkId: 'b2b0d3b6-284e-4cf4-aaf8-139e3b7c89bc',
  revision: 3,
  type: 'API',
  dueAt: 1795264047269,
  location: 'eu-west-1',
  emulated: true,
  workerClass: 'network',
  attempt: 1,
  leasedAt: 1795264047300,
  keyId: 'd1a7c7f0-1111-4222-8333-444455556666',
  source: 'SCHEDULER',
}

/**
 * Signed by the first version for these claims, with a key of 32 bytes of 5. Agents may still report with such a token.
 */
const signedByFirstVersion =
  'v1.eyJhdHRlbXB0SWQiOiIwMTliOGU0Yy04YTAwLThjMWQtOWQzYi0wZDJhNGY3ZTZiMTEiLCJzZXF1ZW5jZUlkIjoiMDE5YjhlNGMtOGEwMC04ZjAyLThhNTEtNmMxYjllMGQ3YTIyIiwiYWNjb3VudElkIjoiNWMyZjlhMWUtN2IzNC00ZDYwLThlMWYtMmE5YjZjN2Q4ZTMzIiwiY2hlY2tJZCI6ImIyYjBkM2I2LTI4NGUtNGNmNC1hYWY4LTEzOWUzYjdjODliYyIsInJldmlzaW9uIjozLCJ0eXBlIjoiQVBJIiwiZHVlQXQiOjE3OTUyNjQwNDcyNjksImxvY2F0aW9uIjoiZXUtd2VzdC0xIiwiZW11bGF0ZWQiOnRydWUsImxhbmUiOiJuZXR3b3JrIiwiYXR0ZW1wdCI6MSwibGVhc2VkQXQiOjE3OTUyNjQwNDczMDAsImtleUlkIjoiZDFhN2M3ZjAtMTExMS00MjIyLTgzMzMtNDQ0NDU1NTU2NjY2Iiwic291cmNlIjoiU0NIRURVTEVSIn0.AJfzH_jhRuu0mkOI__lsnTAGKwXOe9cRKzKh9l_Sxd4'

it('a lease token says what was signed', () => {
  const token = tokens.sign(claims)
  expect(tokens.read(token)).toEqual(claims)
  expect(attemptNamedBy(token)).toBe(claims.attemptId)
})

it('a lease token says the same after a restart, and when many were signed since', () => {
  const token = tokens.sign(claims)
  expect(createLeaseTokens(Buffer.alloc(32, 5)).read(token)).toEqual(claims)
  for (let n = 0; n < 5000; n++) tokens.sign({ ...claims, attempt: n })
  expect(tokens.read(token)).toEqual(claims)
})

it('a lease token that was changed says nothing', () => {
  const token = tokens.sign(claims)
  for (const at of [0, 3, 40, token.length - 44, token.length - 2]) {
    const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
    expect(tokens.read(changed)).toBeUndefined()
  }
})

it('a lease token that the first version signed is still understood', () => {
  expect(tokens.read(signedByFirstVersion)).toEqual(claims)
})

it('a lease token signed with another key says nothing', () => {
  expect(createLeaseTokens(Buffer.alloc(32, 6)).read(signedByFirstVersion)).toBeUndefined()
})

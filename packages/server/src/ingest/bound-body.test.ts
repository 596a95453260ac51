import { expect, it } from 'vitest'
import { boundBody } from './bound-body.ts'

it('leaves what fits as it is', () => {
  const body = { result: { apiCheckResult: { response: { body: 'Größe 🦔' } } }, error: null }
  expect(JSON.parse(boundBody(body))).toEqual(body)
})

it('cuts the longest texts first and says how much is missing', () => {
  const body = { result: { response: { body: 'x'.repeat(100_000), status: 200 } }, cause: 'too slow' }
  const text = boundBody(body, 10_000)
  const cut = JSON.parse(text) as typeof body
  expect(text.length).toBeLessThanOrEqual(10_000)
  expect(cut.cause).toBe('too slow')
  expect(cut.result.response.status).toBe(200)
  expect(cut.result.response.body).toMatch(/x… \[\d+ characters cut\]$/)
})

it('leaves out only the largest part of what is large in other ways', () => {
  const body = { result: { numbers: Array.from({ length: 20_000 }, (_, n) => n) }, error: { code: 'SLOW' } }
  const text = boundBody(body, 10_000)
  expect(JSON.parse(text)).toEqual({
    result: null,
    error: { code: 'SLOW' },
    cut: expect.stringContaining('are more than the 10000'),
  })
})

it('never cuts within a character', () => {
  const text = boundBody({ cause: '🦔'.repeat(10_000), more: `x${'🦔'.repeat(10_000)}` }, 10_000)
  expect(text).not.toMatch(/\\u[0-9a-f]{4}|\ufffd/)
})

it('replaces what PostgreSQL cannot store', () => {
  const text = boundBody({ 'a\u0000': ['\u0000', '\ud800', '\udc00 🦔', '\\u0000'] })
  expect(JSON.parse(text)).toEqual({ 'a\ufffd': ['\ufffd', '\ufffd', '\ufffd 🦔', '\\u0000'] })
})

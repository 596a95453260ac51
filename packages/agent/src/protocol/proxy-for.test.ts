import { expect, test } from 'vitest'
import { proxyFor } from './proxy-for.ts'

const proxies = { httpsProxy: 'http://secure.example:3128/', httpProxy: 'http://plain.example:3128/', noProxy: [] }

test('a server is reached through the proxy of its protocol', () => {
  expect(proxyFor('https://vedette.example', proxies)).toBe(proxies.httpsProxy)
  expect(proxyFor('http://vedette.example', proxies)).toBe(proxies.httpProxy)
  expect(proxyFor('https://vedette.example', { ...proxies, httpsProxy: undefined })).toBeUndefined()
})

test.each(['http://localhost:8080', 'https://vedette.localhost', 'http://127.0.0.1:8080', 'https://[::1]:8443'])(
  'the server %s on the same machine is reached without one',
  (url) => expect(proxyFor(url, proxies)).toBeUndefined(),
)

test.each([
  ['vedette.example', 'https://vedette.example', true],
  ['example', 'https://vedette.example', true],
  ['.example', 'https://vedette.example', true],
  ['*.example', 'https://vedette.example', true],
  ['ample', 'https://vedette.example', false],
  ['other.example', 'https://vedette.example', false],
  ['*', 'https://vedette.example', true],
  ['vedette.example:443', 'https://vedette.example', true],
  ['vedette.example:8443', 'https://vedette.example', false],
  ['vedette.example:8443', 'https://vedette.example:8443', true],
  ['192.0.2.1', 'https://192.0.2.1', true],
  ['2.1', 'https://192.0.2.1', false],
  ['192.0.2.0/24', 'https://192.0.2.1', true],
  ['192.0.3.0/24', 'https://192.0.2.1', false],
  ['192.0.2.0/99', 'https://192.0.2.1', false],
  ['192.0.2.0/', 'https://192.0.3.1', false],
  ['192.0.2.0/24', 'https://vedette.example', false],
  ['2001:db8::1', 'https://[2001:db8::1]', true],
  ['[2001:db8::1]:8443', 'https://[2001:db8::1]:8443', true],
  ['2001:db8::/32', 'https://[2001:db8::1]', true],
])('NO_PROXY=%s lets %s be reached without one: %s', (entry, url, isDirect) => {
  expect(proxyFor(url, { ...proxies, noProxy: ['first.example', entry] }) === undefined).toBe(isDirect)
})

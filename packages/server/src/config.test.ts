import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { StartRefused } from './start-refused.ts'

test('nothing set means one machine: loopback, port 8080, embedded database, trusted egress', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 8080,
    dataDir: resolve('./data'),
    assetsDir: resolve('./data/assets'),
    packetCapture: true,
    baseUrl: undefined,
    databaseUrl: undefined,
    bootstrap: {},
    masterKey: undefined,
    egress: 'trusted',
    agentPlanMs: 24 * 60 * 60_000,
    canary: true,
    trustedProxies: [],
    accountHeaders: [],
    staticIps: [],
    smtpUrl: undefined,
    logLevel: 'warn',
  })
})

test('the settings of the built-in agent are read, and none has the default of an agent of its own', () => {
  expect(readConfig({ AGENT_HEALTH_PORT: '8081', AGENT_HEALTH_HOST: '0.0.0.0', JOB_CONCURRENCY: '50' })).toMatchObject({
    healthPort: 8081,
    healthHost: '0.0.0.0',
    concurrency: 50,
  })
  expect(readConfig({})).toMatchObject({ healthPort: undefined, concurrency: undefined })
})

test('other names of the account header are read as Node names headers', () => {
  const { accountHeaders } = readConfig({ VEDETTE_ACCOUNT_HEADERS: 'X-Acme-Account, x-other-account' })
  expect(accountHeaders).toEqual(['x-acme-account', 'x-other-account'])
})

test('an empty value counts as not set', () => {
  expect(readConfig({ VEDETTE_PORT: '', DATABASE_URL: '' }).port).toBe(8080)
})

test.each([
  ['VEDETTE_PORT', '70000', '0 to 65535'],
  ['VEDETTE_PORT', '80 80', '0 to 65535'],
  ['VEDETTE_HOST', 'a host', 'host name'],
  ['VEDETTE_BASE_URL', 'https://a.example/path', 'without path'],
  ['VEDETTE_BASE_URL', 'ftp://a.example', 'http or https'],
  ['VEDETTE_EGRESS', 'everything', 'trusted or public-only'],
  ['VEDETTE_TRUSTED_PROXIES', 'any', 'CIDR'],
  ['VEDETTE_ACCOUNT_HEADERS', 'authorization', 'x-acme-account'],
  ['VEDETTE_LOG_LEVEL', 'noisy', 'debug'],
  ['VEDETTE_CONTROL_NAME', '127.0.0.1', 'DNS'],
  ['VEDETTE_CONTROL_NAME', '192.0.2.1', 'DNS'],
  ['VEDETTE_CONTROL_NAME', 'LocalHost', 'DNS'],
  ['VEDETTE_CONTROL_NAME', 'a.localhost.', 'DNS'],
  ['AGENT_HEALTH_PORT', '70000', '0 to 65535'],
  ['JOB_CONCURRENCY', '0', 'whole number'],
  ['VEDETTE_CONTROL_NAME', 'https://a.example', 'host name'],
  ['VEDETTE_BOOTSTRAP_ACCOUNT_ID', '17', 'a UUID'],
  ['VEDETTE_BOOTSTRAP_EMAIL', 'me', 'e-mail'],
])('%s=%s is refused with its name, its value and what was expected', (name, value, expected) => {
  const read = () => readConfig({ [name]: value })
  expect(read).toThrow(StartRefused)
  expect(read).toThrow(`${name} is "${value}"`)
  expect(read).toThrow(expected)
})

test.each([
  ['DATABASE_URL', 'mysql://root:hunter2@db/x'],
  ['VEDETTE_SMTP_URL', 'http://user:hunter2@mail'],
  ['VEDETTE_BOOTSTRAP_PASSWORD', 'hunter2'],
  ['VEDETTE_BOOTSTRAP_API_KEY', 'hunter2 hunter2 hunter2'],
])('a wrong secret %s is named and not repeated', (name, value) => {
  const read = () => readConfig({ VEDETTE_BOOTSTRAP_EMAIL: 'me@example.org', [name]: value })
  expect(read).toThrow(name)
  expect(read).toThrow(expect.objectContaining({ message: expect.not.stringContaining('hunter2') as string }) as Error)
})

test('secrets are read from files too, and a file that is not there is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-config-'))
  const file = join(folder, 'url')
  await writeFile(file, 'postgres://vedette@127.0.0.1/vedette\n')
  expect(readConfig({ DATABASE_URL_FILE: file }).databaseUrl).toBe('postgres://vedette@127.0.0.1/vedette')
  await rm(folder, { recursive: true })
  expect(() => readConfig({ DATABASE_URL_FILE: file })).toThrow(`DATABASE_URL_FILE is "${file}"`)
})

test('a bootstrap password without an address is refused', () => {
  expect(() => readConfig({ VEDETTE_BOOTSTRAP_PASSWORD: 'long enough' })).toThrow('VEDETTE_BOOTSTRAP_EMAIL')
})

test('files of results are in the data directory unless a folder is named', () => {
  expect(readConfig({ VEDETTE_DATA_DIR: '/srv/vedette' }).assetsDir).toBe('/srv/vedette/assets')
  const both = { VEDETTE_DATA_DIR: '/srv/vedette', VEDETTE_ASSETS_DIR: '/mnt/shared' }
  expect(readConfig(both).assetsDir).toBe('/mnt/shared')
})

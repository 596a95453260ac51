import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSettings, SettingProblem } from './config.ts'

const required = { VEDETTE_URL: 'https://vedette.example.com', API_KEY: 'vdl_key' }

test('address and key are enough', () => {
  expect(readSettings(required)).toEqual({
    url: 'https://vedette.example.com/',
    key: 'vdl_key',
    concurrency: null,
    healthPort: 8081,
    spoolDir: './spool',
    logLevel: 'info',
    reportCrashes: true,
    drainGraceMs: 60_000,
    controlName: 'vedette.example.com',
    packetCapture: true,
    sharesServerClock: false,
  })
})

test('every setting is read', () => {
  const env = {
    ...required,
    JOB_CONCURRENCY: '7',
    AGENT_HEALTH_PORT: '9000',
    VEDETTE_SPOOL_DIR: '/var/spool/vedette',
    VEDETTE_LOG_LEVEL: 'DEBUG',
    EXTERNAL_OBSERVABILITY: 'off',
    VEDETTE_DRAIN_SECONDS: '300',
    VEDETTE_CONTROL_NAME: 'control.example',
    VEDETTE_PACKET_CAPTURE: 'off',
  }
  expect(readSettings(env)).toMatchObject({
    concurrency: 7,
    healthPort: 9000,
    spoolDir: '/var/spool/vedette',
    logLevel: 'debug',
    reportCrashes: false,
    drainGraceMs: 300_000,
    controlName: 'control.example',
    packetCapture: false,
  })
})

test.each(['HTTPS_PROXY', 'https_proxy'])(
  'the proxy of %s is that of the server, and no control name is looked up',
  (name) => {
    const settings = readSettings({ ...required, [name]: 'http://ann:hush@proxy.example:3128' })
    expect(settings).toMatchObject({ proxy: 'http://ann:hush@proxy.example:3128/', controlName: null })
    expect(readSettings({ ...required, [name]: 'http://proxy:1', no_proxy: '.example.com' })).toMatchObject({
      controlName: 'vedette.example.com',
    })
  },
)

test('the level of the log is also read by its usual name and word, unless it is set', () => {
  expect(readSettings({ ...required, LOG_LEVEL: 'LOG' }).logLevel).toBe('info')
  expect(readSettings({ ...required, LOG_LEVEL: 'debug', VEDETTE_LOG_LEVEL: 'error' }).logLevel).toBe('error')
  expect(() => readSettings({ ...required, LOG_LEVEL: 'loud' })).toThrow('LOG_LEVEL is "loud": expected one of')
})

test.each(['ann:hush-hush@proxy:3128', 'socks5://proxy:1080', 'http://proxy:3128/path'])(
  'HTTPS_PROXY=%s is no proxy, and is not repeated',
  (HTTPS_PROXY) =>
    expect(() => readSettings({ ...required, HTTPS_PROXY })).toThrow(
      /^HTTPS_PROXY is not usable: expected the http or https address of a proxy, without path\.$/,
    ),
)

test.each([
  ['https://vedette.example.com:8443/monitoring', undefined, 'vedette.example.com'],
  ['https://vedette.example.com', 'control.example', 'control.example'],
  ['https://vedette.example.com', 'none', null],
  ['https://vedette.example.com', 'OFF', null],
  ['http://localhost:8080', undefined, null],
  ['http://192.0.2.1:8080', undefined, null],
  ['http://[2001:db8::1]:8080', undefined, null],
  ['http://192.0.2.1:8080', 'control.example', 'control.example'],
])('an agent of the server %s with the control name %s looks up %s', (url, set, name) => {
  const env = { ...required, VEDETTE_URL: url, ...(set !== undefined && { VEDETTE_CONTROL_NAME: set }) }
  expect(readSettings(env).controlName).toBe(name)
})

test.each([
  [{ VEDETTE_URL: undefined }, /^VEDETTE_URL is not set: expected/],
  [{ VEDETTE_URL: 'ftp://x' }, /^VEDETTE_URL is "ftp:\/\/x": expected an http or https address/],
  [{ VEDETTE_URL: 'https://a:b@x' }, /^VEDETTE_URL .* without user name or password\.$/],
  [{ API_KEY: '' }, /^API_KEY is not set: expected/],
  [{ API_KEY: 'two words' }, /^API_KEY has spaces/],
  [{ API_KEY_FILE: '/nowhere' }, /^API_KEY and API_KEY_FILE are both set/],
  [{ API_KEY: undefined, API_KEY_FILE: '/nowhere' }, /^API_KEY_FILE is "\/nowhere": it cannot be read/],
  [{ JOB_CONCURRENCY: '10001' }, /^JOB_CONCURRENCY is "10001": expected a whole number from 1 to 10000\.$/],
  [{ JOB_CONCURRENCY: '1.5' }, /^JOB_CONCURRENCY is "1.5"/],
  [{ AGENT_HEALTH_PORT: '70000' }, /^AGENT_HEALTH_PORT is "70000": expected a whole number from 0 to 65535\.$/],
  [{ VEDETTE_LOG_LEVEL: 'loud' }, /^VEDETTE_LOG_LEVEL is "loud": expected one of fatal/],
  [{ EXTERNAL_OBSERVABILITY: 'no' }, /^EXTERNAL_OBSERVABILITY is "no": expected one of on, off\.$/],
  [{ VEDETTE_DRAIN_SECONDS: '-1' }, /^VEDETTE_DRAIN_SECONDS is "-1"/],
])('%o is refused by name, value and expectation', (changes, message) => {
  expect(() => readSettings({ ...required, ...changes })).toThrow(message)
  expect(() => readSettings({ ...required, ...changes })).toThrow(SettingProblem)
})

test('no message repeats the key', () => {
  expect(() => readSettings({ ...required, API_KEY: 'secret key' })).not.toThrow(/secret/)
})

test('the key may be in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'key-'))
  writeFileSync(join(folder, 'key'), 'vdl_from_file\n')
  try {
    const env = { VEDETTE_URL: 'http://x', API_KEY_FILE: join(folder, 'key') }
    expect(readSettings(env).key).toBe('vdl_from_file')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

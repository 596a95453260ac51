import { expect, test } from 'vitest'
import { defaultOf, readConfiguration, settings, type Program, type Setting } from './index.ts'

const all = Object.values<Setting>(settings)
const agentSettings = { VEDETTE_URL: 'https://a.example', API_KEY: 'key' }

function read<P extends Program>(program: P, env: Record<string, string>, files: Record<string, string> = {}) {
  return readConfiguration(program, {
    env,
    readFile(path) {
      const text = files[path]
      if (text === undefined) throw new Error('no such file')
      return text
    },
    refusal: (message) => new Error(message),
  })
}

test('no two settings share a name', () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
})

test.each(all.map((setting) => [setting.name, setting] as const))(
  '%s says what holds without it, and its own defaults and example can be used',
  (_, setting) => {
    const texts = setting.readBy.map((program) => defaultOf(setting, program))
    if (texts.includes(undefined)) expect(setting.required ?? setting.otherwise).toBeDefined()
    for (const text of [...texts, setting.example]) if (text !== undefined) expect(setting.parse(text)).toBeDefined()
  },
)

test('a program reads its own settings only, with its own defaults', () => {
  expect(read('server', { ...agentSettings, VEDETTE_PORT: '9000' })).toMatchObject({ port: 9000, logLevel: 'warn' })
  expect(read('server', agentSettings)).not.toHaveProperty('url')
  expect(read('agent', { ...agentSettings, VEDETTE_PORT: 'wrong' })).not.toHaveProperty('port')
  expect(read('agent', agentSettings)).toMatchObject({ url: 'https://a.example/', logLevel: 'info' })
})

test('a default may be that of one program only', () => {
  expect(read('agent', agentSettings).healthPort).toBe(8081)
  expect(read('server', {}).healthPort).toBeUndefined()
})

test('blanks around a value do not count, but for a password they do', () => {
  const values = read('server', {
    VEDETTE_HOST: ' ::1\n',
    VEDETTE_PORT: '  ',
    VEDETTE_BOOTSTRAP_PASSWORD: ' 8 letters ',
    VEDETTE_BOOTSTRAP_EMAIL: 'me@example.org',
  })
  expect(values).toMatchObject({ host: '::1', port: 8080, bootstrapPassword: ' 8 letters ' })
})

test('a secret comes from the variable or from its file, not from both', () => {
  const files = { '/run/key': 'from-a-file-of-20-letters\n', '/run/empty': '\n' }
  expect(read('server', { VEDETTE_BOOTSTRAP_API_KEY_FILE: '/run/key' }, files).bootstrapApiKey).toBe(
    'from-a-file-of-20-letters',
  )
  expect(read('server', { DATABASE_URL_FILE: '/run/empty' }, files).databaseUrl).toBeUndefined()
  expect(() => read('server', { DATABASE_URL: 'postgres://a/b', DATABASE_URL_FILE: '/run/key' }, files)).toThrow(
    'DATABASE_URL and DATABASE_URL_FILE are both set: expected one of them',
  )
  expect(() => read('server', { DATABASE_URL_FILE: '/nowhere' }, files)).toThrow(
    'DATABASE_URL_FILE is "/nowhere": it cannot be read (Error: no such file)',
  )
})

test('only secrets come from files', () => {
  expect(() => read('server', { VEDETTE_PORT_FILE: '/nowhere' })).toThrow(
    'VEDETTE_PORT_FILE is not a setting of Vedette; did you mean VEDETTE_PORT?',
  )
  expect(
    read('server', { DATABASE_URL_FILE: '/key', VEDETTE_SMTP_URL_FILE: '' }, { '/key': 'postgres://a/b' }),
  ).toEqual(expect.objectContaining({ databaseUrl: 'postgres://a/b' }))
})

test.each([
  ['VEDETTE_PROT', 'VEDETTE_PORT'],
  ['VEDETTE_LOGLEVEL', 'VEDETTE_LOG_LEVEL'],
  ['VEDETTE_DEADMAN', 'VEDETTE_DEADMAN_URL'],
  ['VEDETTE_MASTERKEY_FILE', 'VEDETTE_MASTER_KEY_FILE'],
  ['VEDETTE_DATABASE_URL', 'DATABASE_URL'],
  ['VEDETTE_JOB_CONCURENCY', 'JOB_CONCURRENCY'],
  ['vedette_port', 'VEDETTE_PORT'],
])('%s is refused by server and agent, and the nearest setting is %s', (name, nearest) => {
  for (const [program, env] of [
    ['server', {}],
    ['agent', agentSettings],
  ] as const)
    expect(() => read(program, { ...env, [name]: '1' })).toThrow(
      `${name} is not a setting of Vedette; did you mean ${nearest}?`,
    )
})

test('a name that is near to no setting is refused with where the settings are listed', () => {
  expect(() => read('server', { VEDETTE_RETENTION_DAYS: '90' })).toThrow(
    'VEDETTE_RETENTION_DAYS is not a setting of Vedette; the manual lists them in settings.md.',
  )
})

test('settings of the other program, variables of tools, of Kubernetes, and those without a value are let through', () => {
  const env = {
    VEDETTE_SPOOL_DIR: '/spool',
    VEDETTE_API_KEY: 'key of the canary',
    VEDETTE_LANE: 'stories',
    VEDETTE_SERVICE_HOST: '10.0.0.1',
    VEDETTE_SERVICE_PORT_HTTP: '80',
    VEDETTE_PORT_80_TCP_ADDR: '10.0.0.1',
    VEDETTE_AGENT_PORT: 'tcp://10.0.0.1:80',
    VEDETTE_PROT: ' ',
  }
  expect(read('server', env).port).toBe(8080)
  expect(read('agent', { ...env, ...agentSettings, VEDETTE_DATA_DIR: '/data' }).spoolDir).toBe('/spool')
})

test('everything that is wrong is told at once, each in a line', () => {
  const env = {
    VEDETTE_PROT: '1',
    VEDETTE_PORT: 'x',
    VEDETTE_BOOTSTRAP_PASSWORD: 'ten letters',
    VEDETTE_MASTER_KEY: 'a',
  }
  expect(() => read('server', env)).toThrow(
    new Error(
      [
        '4 settings cannot be used:',
        '  VEDETTE_PROT is not a setting of Vedette; did you mean VEDETTE_PORT?',
        '  VEDETTE_PORT is "x": expected a port from 0 to 65535 (0 picks a free one).',
        '  VEDETTE_MASTER_KEY is not a master key: expected 32 bytes as base64 (44 characters) or 64 hexadecimal digits. Make one with "openssl rand -base64 32".',
        '  VEDETTE_BOOTSTRAP_PASSWORD is set without VEDETTE_BOOTSTRAP_EMAIL: expected both or neither.',
      ].join('\n'),
    ),
  )
})

test('a wrong value is repeated up to 100 characters, a wrong secret never', () => {
  expect(() => read('server', { VEDETTE_PORT: 'x'.repeat(200) })).toThrow(
    `VEDETTE_PORT is "${'x'.repeat(100)}": expected a port from 0 to 65535 (0 picks a free one)`,
  )
  expect(() => read('server', { DATABASE_URL: 'mysql://root:hunter2@db' })).toThrow(
    /^DATABASE_URL is not usable: expected a postgres:\/\/ or postgresql:\/\/ URL\.$/,
  )
})

import { expect, test } from 'vitest'
import { defaultOf, readConfiguration, settings, type Program, type Setting } from './index.ts'

const all = Object.values<Setting>(settings)

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
  const agent = { VEDETTE_URL: 'https://a.example', API_KEY: 'key' }
  expect(read('server', { ...agent, VEDETTE_PORT: '9000' })).toMatchObject({ port: 9000, logLevel: 'warn' })
  expect(read('server', agent)).not.toHaveProperty('url')
  expect(read('agent', { ...agent, VEDETTE_PORT: 'wrong' })).not.toHaveProperty('port')
  expect(read('agent', agent)).toMatchObject({ url: 'https://a.example/', logLevel: 'info' })
})

test('a default may be that of one program only', () => {
  const agent = { VEDETTE_URL: 'https://a.example', API_KEY: 'key' }
  expect(read('agent', agent).healthPort).toBe(8081)
  expect(read('server', {}).healthPort).toBeUndefined()
})

test('blanks around a value do not count, but for a password they do', () => {
  const values = read('server', {
    VEDETTE_HOST: ' ::1\n',
    VEDETTE_PORT: '  ',
    VEDETTE_BOOTSTRAP_PASSWORD: ' 8 letters ',
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
  expect(read('server', { VEDETTE_PORT_FILE: '/nowhere' }).port).toBe(8080)
})

test('a wrong value is repeated up to 100 characters, a wrong secret never', () => {
  expect(() => read('server', { VEDETTE_PORT: 'x'.repeat(200) })).toThrow(
    `VEDETTE_PORT is "${'x'.repeat(100)}": expected a port from 0 to 65535 (0 picks a free one)`,
  )
  expect(() => read('server', { DATABASE_URL: 'mysql://root:hunter2@db' })).toThrow(
    /^DATABASE_URL is not usable: expected a postgres:\/\/ or postgresql:\/\/ URL$/,
  )
})

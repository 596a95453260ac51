import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tellReady } from './startup-notice.ts'

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'vedette-notice-'))
})
afterAll(() => rm(dataDir, { recursive: true }))

const notice = () => ({
  url: 'http://127.0.0.1:1',
  signInLink: 'http://127.0.0.1:1/sign-in?token=t',
  accountId: 'the-account',
  apiKey: 'vdu_secret',
  dataDir,
})

function output(isTTY: boolean) {
  let text = ''
  return { isTTY, write: (part: string) => (text += part), text: () => text }
}

test('a terminal is shown the first key', async () => {
  const terminal = output(true)
  await tellReady(notice(), terminal)
  expect(terminal.text()).toContain('vdu_secret')
  expect(terminal.text()).toContain('the-account')
})

test('anything else is told the file, which only its owner may read', async () => {
  const pipe = output(false)
  await tellReady(notice(), pipe)
  expect(pipe.text()).not.toContain('vdu_secret')
  const file = join(dataDir, 'first-api-key')
  expect(pipe.text()).toContain(file)
  expect(await readFile(file, 'utf8')).toBe('vdu_secret\n')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('later starts say nothing of a key', async () => {
  const terminal = output(true)
  await tellReady({ ...notice(), apiKey: undefined }, terminal)
  expect(terminal.text()).not.toContain('API key')
})

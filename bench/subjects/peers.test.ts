import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UsageError } from '../options.ts'
import { findGatus, gatusConfiguration } from './gatus.ts'
import { kumaFolder } from './kuma-package.ts'
import { vedette } from './vedette.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-peers-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('a subject that cannot be had', () => {
  it('is refused with what to install', async () => {
    expect(() => findGatus(undefined, folder)).toThrow(/no program "gatus" on the PATH.*--peer-dir/)
    expect(() => findGatus(folder, '/usr/bin')).toThrow(`There is no program "gatus" in ${folder}`)
    expect(() => kumaFolder(folder)).toThrow(`${folder} holds no Uptime Kuma.`)
    await expect(vedette('baseline', folder, 1)).rejects.toThrow(
      new UsageError(`${folder} holds no built checkout: run "npm run build" in it first.`),
    )
  })
})

describe('Gatus', () => {
  it('is found on the PATH or in the folder given', () => {
    const program = join(folder, 'gatus')
    writeFileSync(program, '')
    expect(findGatus(undefined, `/nowhere${delimiter}${folder}`)).toBe(program)
    expect(findGatus(folder, '')).toBe(program)
  })

  it('gets the same fleet: the same addresses, period and conditions', () => {
    const text = gatusConfiguration({ checks: 2, targetPort: 81, port: 82, database: '/tmp/gatus.db' })
    const { endpoints, ...rest } = JSON.parse(text) as { endpoints: object[] }
    expect(rest).toMatchObject({ concurrency: 0, storage: { type: 'sqlite', path: '/tmp/gatus.db' } })
    expect(endpoints).toHaveLength(2)
    expect(endpoints[1]).toEqual({
      name: 'check-1',
      url: 'http://127.0.0.1:81/check/1',
      interval: '20s',
      conditions: ['[STATUS] == 200', '[BODY].status == ok'],
    })
  })
})

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { npm } from '../scripts/npm.mjs'
import { newSpoolDir, removeSpoolDir, startAgent, type SeparateAgent } from './agent.ts'
import { betweenResultReads, removeDataDir, root, startProduct, until, type Product } from './product.ts'

interface Result {
  resultType: string
  hasFailures: boolean
  runLocation: string
  emulatedLocation: boolean
}

const target = createServer((_, response) => response.end('up'))
let folder: string
let spoolDir: string
let product: Product
let agent: SeparateAgent | undefined

beforeAll(async () => {
  target.listen(0, '127.0.0.1')
  await once(target, 'listening')
  folder = await mkdtemp(join(tmpdir(), 'vedette-packed-'))
  spoolDir = await newSpoolDir()
  product = await startProduct()
})
afterAll(async () => {
  await agent?.stop()
  await product.stop()
  target.close()
  await Promise.all([removeDataDir(product.dataDir), removeSpoolDir(spoolDir), rm(folder, { recursive: true })])
})

/** Packs the agent and installs the package where it cannot resolve modules of this repository. */
async function installPackedAgent(): Promise<void> {
  const packed = spawnSync(process.execPath, ['scripts/pack-agent.mjs', folder], { cwd: root, encoding: 'utf8' })
  expect(packed.status, packed.stderr).toBe(0)
  const [archive = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  expect(archive).toMatch(/^vedette-agent-\d+\.\d+\.\d+\.tgz$/)
  const options = ['--prefix', folder, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  expect(npm(['install', join(folder, archive), ...options], { cwd: folder })).toBe(true)
}

test('the packed agent, installed into an empty folder, serves a check with plain Node', async () => {
  await installPackedAgent()
  expect(existsSync(join(folder, 'node_modules', 'tsx'))).toBe(false)

  const { body } = await product.api<{ rawKey: string }>('POST', '/v1/agent-keys', { location: 'eu-west-1' })
  const program = { folder, file: 'node_modules/.bin/vedette-agent' }
  agent = await startAgent({ url: product.url, key: body.rawKey, spoolDir, program })

  const { port } = target.address() as AddressInfo
  const made = await product.api<{ id: string }>('POST', '/v1/checks/api', {
    name: 'Served by the packed agent',
    locations: ['eu-west-1'],
    frequency: 0,
    frequencyOffset: 10,
    request: {
      url: `http://127.0.0.1:${port}/`,
      assertions: [
        { source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' },
        { source: 'TEXT_BODY', property: '', comparison: 'CONTAINS', target: 'up' },
      ],
    },
  })
  expect(made.status).toBe(201)
  const ofPackedAgent = async () => {
    const { body: page } = await product.api<{ entries: Result[] }>('GET', `/v2/check-results/${made.body.id}`)
    return page.entries.find(({ resultType, emulatedLocation }) => resultType === 'FINAL' && !emulatedLocation)
  }
  const result = await until('a final result of the packed agent', ofPackedAgent, 60_000, betweenResultReads)
  expect(result).toMatchObject({ hasFailures: false, runLocation: 'eu-west-1' })
  expect(await agent.stop()).toBe(0)
})

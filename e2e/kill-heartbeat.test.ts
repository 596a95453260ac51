import { expect, test } from 'vitest'
import { freePort } from './free-port.ts'
import { newDataDir, removeDataDir, startProduct, until } from './product.ts'

const kills = 2
const pingsAtOnce = 8
const enoughAnswers = 4

interface Made {
  id: string
  heartbeat: { pingUrl: string }
}
interface Results {
  entries: { heartbeatCheckResult: { state: string; source: string | null } }[]
}

test('a ping that was answered survives a kill, and counts once', async () => {
  const dataDir = await newDataDir()
  const port = await freePort()
  const start = () => startProduct({ dataDir, env: { VEDETTE_PORT: String(port) } })
  let product = await start()
  const { body: check } = await product.api<Made>('POST', '/v1/checks/heartbeat', {
    name: 'Backup',
    heartbeat: { period: 1, periodUnit: 'hours', grace: 0, graceUnit: 'seconds' },
  })
  const answered: string[] = []
  let sent = 0

  async function ping(): Promise<void> {
    const referer = `http://job.test/${++sent}`
    const response = await fetch(check.heartbeat.pingUrl, { method: 'POST', headers: { referer } })
    expect(await response.json()).toEqual({ stored: true, reason: null })
    answered.push(referer)
  }

  /** Resolves as soon as some pings are answered; the others are cut off, or not. */
  async function pingUntilKilled(): Promise<void> {
    const enough = answered.length + enoughAnswers
    const cutOff = (error: unknown) => void error
    const killed = { yes: false }
    await Promise.all(
      Array.from({ length: pingsAtOnce }, async () => {
        await ping().catch(cutOff)
        if (answered.length < enough || killed.yes) return
        killed.yes = true
        await product.kill()
      }),
    )
    if (!killed.yes) await product.kill()
  }

  async function sources(): Promise<string[]> {
    const path = `/v2/check-results/${check.id}?limit=100&fields=heartbeatCheckResult`
    const { body } = await product.api<Results>('GET', path)
    return body.entries.flatMap(({ heartbeatCheckResult }) => heartbeatCheckResult.source ?? [])
  }

  for (let kill = 1; kill <= kills; kill++) {
    await pingUntilKilled()
    product = await start()
  }
  expect(answered.length).toBeGreaterThanOrEqual(kills * enoughAnswers)
  await until('all answered pings to have a result', async () => {
    const found = new Set(await sources())
    return answered.every((source) => found.has(source))
  })
  const found = await sources()
  expect(new Set(found).size).toBe(found.length)
  await product.stop()
  await removeDataDir(dataDir)
}, 180_000)

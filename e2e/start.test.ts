import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from './free-port.ts'
import { newDataDir, removeDataDir, root, startProduct, until, type Product } from './product.ts'

/** Starts the server expecting it to refuse. Returns its exit code and its output. */
async function refusedStart(env: Record<string, string>, uid?: number): Promise<{ code: number | null; said: string }> {
  const child = spawn('sh', ['scripts/run-node.sh', 'packages/server/dist/main.js'], {
    cwd: root,
    env: { ...process.env, VEDETTE_PORT: '0', ...env },
    ...(uid !== undefined && { uid }),
  })
  let said = ''
  child.stderr.on('data', (text) => (said += text))
  child.stdout.on('data', (text) => (said += text))
  const [code] = (await once(child, 'exit')) as [number | null]
  return { code, said }
}

describe('a start', () => {
  let product: Product
  let healthPort: number
  beforeAll(async () => {
    healthPort = await freePort()
    product = await startProduct({
      env: {
        VEDETTE_BOOTSTRAP_ACCOUNT_ID: '00000000-0000-4000-8000-00000000abcd',
        AGENT_HEALTH_PORT: String(healthPort),
      },
    })
  })
  afterAll(async () => {
    await product.stop()
    await removeDataDir(product.dataDir)
  })

  test('says where it is, how to sign in, which account it made and where the key is', async () => {
    expect(product.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(product.signInLink).toContain('/sign-in?token=')
    expect(product.accountId).toBe('00000000-0000-4000-8000-00000000abcd')
    const file = join(product.dataDir, 'first-api-key')
    expect((await readFile(file, 'utf8')).trim()).toBe(product.apiKey)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(product.output()).not.toContain(product.apiKey)
    expect((await product.api('GET', '/v1/checks')).status).toBe(200)
    expect((await fetch(`${product.url}/-/readiness`)).status).toBe(200)
  })

  test('opens the health endpoints of its agent where the setting says', async () => {
    const isReady = async () => (await fetch(`http://127.0.0.1:${healthPort}/-/readiness`)).status === 200
    await until('the agent to be ready', () => isReady().catch(() => false))
  })

  test('on a data directory that is in use is refused with who holds it', async () => {
    const { code, said } = await refusedStart({ VEDETTE_DATA_DIR: product.dataDir })
    expect(code).toBe(1)
    expect(said).toContain(String(product.process.pid))
    expect(said.match(/Vedette cannot run/g)).toHaveLength(1)
    expect(said).not.toContain('    at ')
  })

  test('on a taken port is refused naming port and setting', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const dataDir = await newDataDir()
    const { code, said } = await refusedStart({ VEDETTE_DATA_DIR: dataDir, VEDETTE_PORT: String(port) })
    taken.close()
    await removeDataDir(dataDir)
    expect(code).toBe(1)
    expect(said).toContain(`Port ${port}`)
    expect(said).toContain('VEDETTE_PORT')
    expect(said).not.toContain('"level":50')
  })

  test('with wrong settings is refused naming every setting, its value and what was expected', async () => {
    const wrong: Record<string, [string, RegExp]> = {
      VEDETTE_PORT: ['eighty', /VEDETTE_PORT is "eighty".*0 to 65535/],
      VEDETTE_EGRESS: ['all', /VEDETTE_EGRESS is "all".*trusted or public-only/],
      VEDETTE_LOG_LEVEL: ['loud', /VEDETTE_LOG_LEVEL is "loud".*warn/],
      VEDETTE_BASE_URL: ['example.org', /VEDETTE_BASE_URL is "example.org".*http/],
      DATABASE_URL: ['mysql://root@localhost/x', /DATABASE_URL.*postgres:\/\//],
      VEDETTE_TRUSTED_PROXIES: ['proxy.local', /VEDETTE_TRUSTED_PROXIES is "proxy.local".*CIDR/],
    }
    const all = Object.entries(wrong)
    const { code, said } = await refusedStart({
      ...Object.fromEntries(all.map(([name, [value]]) => [name, value])),
      VEDETTE_PROT: '8080',
    })
    expect(code).toBe(1)
    expect(said).toContain(
      'Vedette cannot run: 7 settings cannot be used:\n  VEDETTE_PROT is not a setting of Vedette;',
    )
    for (const [, [, expected]] of all) expect(said).toMatch(expected)
    expect(said).not.toContain('Starting')
  })
})

test('a Ctrl-C that arrives twice, from the terminal and from npm, stops in order', async () => {
  const product = await startProduct()
  product.process.kill('SIGINT')
  product.process.kill('SIGTERM')
  await until('the product to end', () => Promise.resolve(product.process.exitCode !== null))
  await removeDataDir(product.dataDir)
  expect(product.process.exitCode).toBe(0)
  expect(product.output()).toContain('Stopped.')
})

describe('what a start finds in its data directory', () => {
  test('is the same installation after a stop, and everything of it ends with the stop', async () => {
    const first = await startProduct()
    const made = await first.api<{ id: string }>('POST', '/v1/checks/tcp', {
      name: 'Kept',
      activated: false,
      request: { hostname: '127.0.0.1', port: 9 },
    })
    expect(made.status).toBe(201)
    const agentPid = await childOf(first.process.pid)
    expect(agentPid).toBeGreaterThan(0)
    expect(await first.stop()).toBe(0)
    await until('the agent to end', async () => !isAlive(agentPid), 5000)

    const second = await startProduct({ dataDir: first.dataDir })
    expect(second.output()).not.toContain('First API key')
    const kept = await second.api<{ name: string }>('GET', `/v1/checks/${made.body.id}`)
    expect(kept.body.name).toBe('Kept')
    await second.stop()

    await rename(join(first.dataDir, 'master.key'), join(first.dataDir, 'other.key'))
    const wrongKey = await refusedStart({ VEDETTE_DATA_DIR: first.dataDir })
    expect(wrongKey.code).toBe(1)
    expect(wrongKey.said).toMatch(/master key is not the one of this database/)
    await rm(join(first.dataDir, 'master.key'))
    await rename(join(first.dataDir, 'other.key'), join(first.dataDir, 'master.key'))

    const third = await startProduct({ dataDir: first.dataDir })
    await third.kill()
    const fourth = await startProduct({ dataDir: first.dataDir })
    expect((await fourth.api('GET', `/v1/checks/${made.body.id}`)).status).toBe(200)
    await fourth.stop()
    await removeDataDir(first.dataDir)
  })

  test('may not be a folder that cannot be written', async () => {
    const dataDir = await newDataDir()
    const blocked = join(dataDir, 'file')
    await writeFile(blocked, 'not a folder')
    await mkdir(join(dataDir, 'ok'))
    const { code, said } = await refusedStart({ VEDETTE_DATA_DIR: blocked })
    await removeDataDir(dataDir)
    expect(code).toBe(1)
    expect(said).toContain(blocked)
    expect(said).toContain('VEDETTE_DATA_DIR')
    expect(said).not.toContain('    at ')
  })

  test.runIf(process.getuid?.() === 0)('may not hold parts that another user made', async () => {
    const dataDir = await newDataDir()
    const base = join(dataDir, 'db', 'database', 'base')
    await mkdir(base, { recursive: true })
    for (const folder of ['', 'db', 'db/database']) await chmod(join(dataDir, folder), 0o777)
    const { code, said } = await refusedStart({ VEDETTE_DATA_DIR: dataDir }, 65_534)
    await removeDataDir(dataDir)
    expect(code).toBe(1)
    expect(said).toContain(`user 65534 may not use ${base} (EACCES). Give the folder and all it holds to that user`)
  })

  test.runIf(process.platform === 'linux')('may not be where nobody can make a folder', async () => {
    const { code, said } = await refusedStart({ VEDETTE_DATA_DIR: '/proc/vedette' })
    expect(code).toBe(1)
    expect(said).toContain('The data directory /proc/vedette cannot be used: /proc/vedette cannot be made (ENOENT).')
  })
})

/** The agent is the only child of the server. */
async function childOf(pid: number | undefined): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const agent = children.trim().split(' ').map(Number)
  return agent.at(-1) ?? 0
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { agentPaths, systemClock, type Clock } from '@vedette/wire'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { letPromisesRun, TestClock } from '../../test-support/clock.ts'
import { LocalAgent, type LocalAgentOptions } from './local-agent.ts'

interface Call {
  path: string
  key: string
  agentId: string
}

let server: Server
let url: string
let calls: Call[]
let folder: string
let agent: LocalAgent | undefined
let lines: string[]
/** What its hellos said. */
let bodies: unknown[]

async function open(): Promise<void> {
  calls = []
  lines = []
  bodies = []
  agent = undefined
  folder = mkdtempSync(join(tmpdir(), 'local-agent-'))
  server = createServer((request, response) => {
    void json(request).then((body) => {
      const { agentId } = body as { agentId: string }
      if (request.url === agentPaths.hello) bodies.push(body)
      calls.push({ path: request.url ?? '', key: request.headers.authorization ?? '', agentId })
      const terms = { protocol: 1, locations: ['eu-west-1'], leaseMs: 1000, renewEveryMs: 500, longPollMs: 1000 }
      response.end(JSON.stringify({ serverTime: Date.now(), ...terms, jobs: [], cancelled: [] }))
      server.emit('called')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function close(): Promise<void> {
  await agent?.stop()
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
}

async function givenAgent(changes: Partial<LocalAgentOptions> = {}): Promise<LocalAgent> {
  let minted = 0
  agent = new LocalAgent({
    url,
    spoolDir: join(folder, 'spool'),
    logLevel: 'info',
    mintKey: () => Promise.resolve(`vdl_secret_${++minted}`),
    heardAt: () => undefined,
    clock: systemClock,
    random: () => 0,
    log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
    ...changes,
  })
  await agent.start()
  return agent
}

async function hellos(count: number): Promise<Call[]> {
  const hellos = () => calls.filter(({ path }) => path === agentPaths.hello)
  while (hellos().length < count) await once(server, 'called')
  return hellos()
}

/** What the first fitting line of the agent's log says. */
async function said<T>(what: (entry: Record<string, unknown>) => T | undefined): Promise<T> {
  for (;;) {
    const found = lines.map((line) => what(JSON.parse(line) as Record<string, unknown>)).find((it) => it !== undefined)
    if (found !== undefined) return found
    await once(server, 'called')
  }
}

/** Where a link leads; nowhere when it is gone, because a process opens and closes files all the time. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return ''
  }
}

/** The local addresses of the listening sockets of a process. */
function listening(pid: number): string[] {
  const tcp = ['tcp', 'tcp6'].flatMap((table) => readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n').slice(1))
  const addresses = new Map(
    tcp
      .map((row) => row.trim().split(/\s+/))
      .filter((row) => row[3] === '0A')
      .map((row) => [row[9], row[1]?.split(':')[0]]),
  )
  return readdirSync(`/proc/${pid}/fd`)
    .map((fd) => /^socket:\[(\d+)\]$/.exec(targetOf(`/proc/${pid}/fd/${fd}`))?.[1])
    .map((inode) => addresses.get(inode))
    .filter((address) => address !== undefined)
}

describe('the built-in agent', () => {
  let pid: number

  beforeAll(async () => {
    await open()
    process.env.VEDETTE_MASTER_KEY = 'the-master-key-of-this-test'
    try {
      pid = (await givenAgent()).pid ?? 0
    } finally {
      delete process.env.VEDETTE_MASTER_KEY
    }
    await hellos(1)
  })
  afterAll(close)

  test('signs in with the minted key, which no process list shows', async () => {
    const [hello] = await hellos(1)
    expect(hello?.key).toBe('Bearer vdl_secret_1')
    const visible = readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'utf8')
    expect(visible).not.toContain('vdl_secret_1')
  })

  test('sees no setting of the server', () => {
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('VEDETTE_')
  })

  test('says goodbye when it is stopped, and leaves no process behind', async () => {
    await agent?.stop()
    expect(calls.at(-1)?.path).toBe(agentPaths.goodbye)
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('has its log lines in the log of the server, marked as those of the agent', async () => {
    await agent?.stop()
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(entries).toContainEqual(expect.objectContaining({ component: 'agent', level: 30, msg: 'stopped' }))
  })
})

describe('a built-in agent of its own', () => {
  beforeEach(open)
  afterEach(close)

  test('an agent that was killed is started again, with a fresh key', async () => {
    const { pid = 0 } = await givenAgent()
    await hellos(1)
    process.kill(pid, 'SIGKILL')
    const [first, second] = await hellos(2)
    expect(second?.key).toBe('Bearer vdl_secret_2')
    expect(second?.agentId).not.toBe(first?.agentId)
  })

  test('the health port of the settings is served by the agent, as its log says', async () => {
    await givenAgent({ healthPort: 0 })
    const [{ agentId } = { agentId: '' }] = await hellos(1)
    const port = await said((entry) => entry.healthPort as number | undefined)
    const health = (await (await fetch(`http://127.0.0.1:${port}/health`)).json()) as { agentId: string }
    expect(health.agentId).toBe(agentId)
  })

  // Addresses as the tables of the kernel have them.
  test.each([
    ['loopback only', undefined, ['0100007F']],
    ['the address that is set', '0.0.0.0', ['00000000']],
  ])('the health port is open on %s', async (_name, healthHost, addresses) => {
    const { pid } = await givenAgent({ healthPort: 0, ...(healthHost !== undefined && { healthHost }) })
    await hellos(1)
    await said((entry) => entry.healthPort)
    expect(listening(pid ?? 0)).toEqual(addresses)
  })

  test('without a setting no port is open but that of the connection to the server', async () => {
    const { pid } = await givenAgent()
    await hellos(1)
    expect(listening(pid ?? 0)).toEqual([])
  })

  test('a taken health port is said and does not keep the agent from working', async () => {
    const { port } = server.address() as AddressInfo
    await givenAgent({ healthPort: port })
    await hellos(1)
    expect(await said(({ msg, level }) => (level === 50 ? msg : undefined))).toContain('AGENT_HEALTH_PORT')
  })

  test('a folder that cannot be used for its spool is said and does not keep the agent from working', async () => {
    writeFileSync(join(folder, 'a-file'), '')
    await givenAgent({ spoolDir: join(folder, 'a-file', 'spool') })
    await hellos(1)
    expect(await said(({ msg, level }) => (level === 50 ? msg : undefined))).toContain('the spool cannot be opened now')
  })

  test('takes as many runs at once as the server is set to', async () => {
    await givenAgent({ concurrency: 7 })
    await hellos(1)
    expect(bodies[0]).toMatchObject({ capacity: { network: 7 } })
  })

  test('an agent that is stopped but not dead is replaced after a minute of silence', async () => {
    const clock = new TestClock()
    let heardAt = 0
    const { pid = 0 } = await givenAgent({ clock, heardAt: () => heardAt })
    await hellos(1)
    await clock.advance(50_000)
    heardAt = clock.monotonic()
    process.kill(pid, 'SIGSTOP')
    await clock.advance(55_000)
    expect(isAlive(pid)).toBe(true)
    await clock.advance(10_000)
    while (agent?.pid !== undefined) await letPromisesRun()
    await clock.advance(500)
    expect((await hellos(2))[1]?.key).toBe('Bearer vdl_secret_2')
    expect(isAlive(pid)).toBe(false)
    expect(lines.join('')).toContain('silent')
  })

  test('time in which the server itself was suspended is no silence of the agent', async () => {
    const clock = new TestClock()
    const { pid = 0 } = await givenAgent({ clock, heardAt: () => 0 })
    await hellos(1)
    await clock.advance(50_000)
    clock.jump(600_000)
    await clock.advance(55_000)
    await letPromisesRun()
    expect(isAlive(pid)).toBe(true)
  })

  test('an agent that cannot live is started again ever more slowly', async () => {
    const program = join(folder, 'broken.mjs')
    writeFileSync(program, 'process.exit(3)')
    const waits: number[] = []
    const enough = new Promise<void>((resolve) => {
      const clock: Clock = {
        now: () => 0,
        monotonic: () => 0,
        after(delayMs, call) {
          // Each start also watches for silence.
          if (delayMs === 5000) return () => undefined
          waits.push(delayMs)
          if (waits.length === 4) resolve()
          else setImmediate(call)
          return () => undefined
        },
      }
      void givenAgent({ program, clock })
    })
    await enough
    expect(waits).toEqual([250, 500, 1000, 2000])
  })

  test('an agent whose server is gone leaves too', async () => {
    const program = fileURLToPath(new URL('../../test-support/parent-process.mjs', import.meta.url))
    const parent = spawn(process.execPath, [program, url, join(folder, 'spool')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const output = createInterface({ input: parent.stdout })
    let pid = 0
    for await (const line of output) {
      pid = Number(/^agent is (\d+)$/.exec(line)?.[1] ?? 0)
      if (pid > 0) break
    }
    await hellos(1)
    const goodbye = (async () => {
      while (!calls.some(({ path }) => path === agentPaths.goodbye)) await once(server, 'called')
    })()
    parent.kill('SIGKILL')
    await goodbye
    while (isAlive(pid)) await new Promise((resolve) => setImmediate(resolve))
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestAuthority } from '../../checks/test-support/certificates.ts'
import { startProcess, type AgentProcess } from '../test-support/agent-process.ts'
import { FakeServer } from '../test-support/fake-server.ts'
import { scriptedJob } from '../test-support/jobs.ts'
import { startProxy, type TestProxy } from '../test-support/proxy.ts'

// Every setting that decides how the agent reaches its server, and those that no other test gives to a real process.

const authority = createTestAuthority()
const certificate = authority.leaf({ names: 'DNS:vedette.test,DNS:localhost,IP:127.0.0.1,IP:0.0.0.0' })
let folder: string
let server: FakeServer
let agents: AgentProcess[]
let proxies: TestProxy[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agent-settings-'))
  writeFileSync(join(folder, 'ca.pem'), authority.ca)
  agents = []
  proxies = []
  server = new FakeServer(certificate)
  await server.start()
})
afterEach(async () => {
  for (const agent of agents) agent.signal('SIGKILL')
  await Promise.all(agents.map(({ exit }) => exit))
  for (const proxy of proxies) await proxy.stop()
  await server.stop()
  rmSync(folder, { recursive: true })
})
afterAll(() => authority.remove())

/** The agent with these settings; it trusts the authority of the server unless they say otherwise. */
function givenAgent(settings: Record<string, string>): AgentProcess {
  const agent = startProcess('./scripted-agent.mjs', {
    VEDETTE_URL: `https://vedette.test:${server.port}`,
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    API_KEY: 'vdl_test',
    AGENT_HEALTH_PORT: '0',
    VEDETTE_SPOOL_DIR: join(folder, `spool-${agents.length}`),
    ...settings,
  })
  agents.push(agent)
  return agent
}

async function givenProxy(more: Partial<Parameters<typeof startProxy>[0]> = {}): Promise<TestProxy> {
  const proxy = await startProxy({ leadsTo: server.port, ...more })
  proxies.push(proxy)
  return proxy
}

async function runsOne(): Promise<void> {
  const job = scriptedJob('pass')
  server.give(job)
  await server.until(() => server.results.some(({ lease }) => lease === job.lease))
}

const wholeOutput = ({ output }: AgentProcess) => output.join('\n')

describe('NODE_EXTRA_CA_CERTS', () => {
  test('lets the agent trust a server whose certificate a private authority signed', async () => {
    givenAgent({ VEDETTE_URL: `https://localhost:${server.port}` })
    await runsOne()
  })

  test('is needed for it: without, the agent says what is wrong with the certificate and sends no key', async () => {
    const agent = givenAgent({ VEDETTE_URL: `https://localhost:${server.port}`, NODE_EXTRA_CA_CERTS: '' })
    expect(await agent.says('the server is away')).toMatch(/certificate/)
    expect(server.encodings).toEqual([])
  })
})

describe('HTTPS_PROXY', () => {
  test('leads every call through a tunnel, with user and password, and TLS ends at the server', async () => {
    const proxy = await givenProxy({ credentials: 'ann:s@cret' })
    const agent = givenAgent({ HTTPS_PROXY: `http://ann:s%40cret@127.0.0.1:${proxy.port}` })
    await runsOne()
    expect(new Set(proxy.asked)).toEqual(new Set([`vedette.test:${server.port}`]))
    agent.signal('SIGTERM')
    expect(await agent.exit).toEqual({ code: 0, signal: null })
    expect(server.goodbyes).toBe(1)
  })

  test('may be a proxy that speaks TLS itself, and may come from a file', async () => {
    const proxy = await givenProxy({ credentials: 'ann:hush', certificate: authority.leaf() })
    writeFileSync(join(folder, 'proxy'), `https://ann:hush@localhost:${proxy.port}\n`)
    givenAgent({ HTTPS_PROXY_FILE: join(folder, 'proxy') })
    await runsOne()
    expect(proxy.asked).not.toEqual([])
  })

  test('with a wrong password is told with the name of the proxy and without the password', async () => {
    const proxy = await givenProxy({ credentials: 'ann:right' })
    const agent = givenAgent({ HTTPS_PROXY: `http://ann:wrong-one@127.0.0.1:${proxy.port}` })
    expect(await agent.says('the server is away')).toContain(
      `the proxy 127.0.0.1:${proxy.port} does not accept the user and password of HTTPS_PROXY (407)`,
    )
    expect(wholeOutput(agent)).not.toContain('wrong-one')
  })

  test('is left aside for servers that NO_PROXY names', async () => {
    const proxy = await givenProxy()
    const throughProxy = {
      VEDETTE_URL: `https://0.0.0.0:${server.port}`,
      HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
    }
    const direct = givenAgent({ ...throughProxy, NO_PROXY: 'other.example,0.0.0.0/8' })
    await runsOne()
    expect(proxy.asked).toEqual([])
    direct.signal('SIGKILL')
    await direct.exit
    givenAgent(throughProxy)
    await runsOne()
    expect(new Set(proxy.asked)).toEqual(new Set([`0.0.0.0:${server.port}`]))
  })
})

describe('other settings of a process', () => {
  async function crashes(settings: Record<string, string>): Promise<AgentProcess> {
    const agent = givenAgent({ VEDETTE_URL: `https://localhost:${server.port}`, ...settings })
    const job = scriptedJob('crash')
    server.give(job)
    await server.until(() => server.results.some(({ lease }) => lease === job.lease))
    const renewals = server.renewals.length
    await server.until(() => server.renewals.length >= renewals + 2)
    return agent
  }

  test('say how many runs it asks for, that it logs, and that crashes are reported', async () => {
    const agent = await crashes({ JOB_CONCURRENCY: '3', LOG_LEVEL: 'LOG' })
    expect(server.hellos[0]?.capacity).toMatchObject({ network: 3 })
    expect(server.leases[0]?.free).toEqual({ network: 3 })
    expect(server.crashes).toHaveLength(1)
    expect(wholeOutput(agent)).toContain('"connected"')
  })

  test('say that it logs errors only, and that crashes are not reported', async () => {
    const agent = await crashes({ LOG_LEVEL: 'ERROR', EXTERNAL_OBSERVABILITY: 'off' })
    expect(server.crashes).toEqual([])
    const levels = agent.output.map((line) => (JSON.parse(line) as { level: number }).level)
    expect(levels).toEqual(levels.map(() => 50))
  })
})

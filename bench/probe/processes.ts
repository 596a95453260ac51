import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { freePort } from '../../e2e/free-port.ts'
import type { EngineAnswer, EngineOrder } from './engine.ts'
import type { BenchCertificates } from './certificates.ts'
import type { Holds, TargetPorts } from './target.ts'

const ask = async <T>(child: ChildProcess, message: object): Promise<T> => {
  const answered = once(child, 'message')
  child.send(message)
  const [answer] = (await answered) as [T]
  return answer
}

const start = (file: string, env: Record<string, string> = {}): ChildProcess =>
  fork(new URL(file, import.meta.url), {
    execArgv: ['--conditions=vedette-source', '--import', import.meta.resolve('tsx')],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })

export async function startTarget({ key, chain }: BenchCertificates) {
  const child = start('./target.ts')
  const ports = await ask<TargetPorts>(child, { key, chain })
  return { ports, holds: () => ask<Holds>(child, {}), stop: () => child.disconnect() }
}

export async function startEngine({ rootFile }: BenchCertificates) {
  const child = start('./engine.ts', { NODE_EXTRA_CA_CERTS: rootFile })
  await once(child, 'message')
  return { run: (order: EngineOrder) => ask<EngineAnswer>(child, order), stop: () => child.disconnect() }
}

const modules = (rootFile: string) => `modules:
  http_2xx:
    prober: http
    timeout: 20s
    http:
      preferred_ip_protocol: ip4
      ip_protocol_fallback: false
      follow_redirects: false
      tls_config:
        ca_file: ${rootFile}
  dns_a:
    prober: dns
    timeout: 20s
    dns:
      preferred_ip_protocol: ip4
      transport_protocol: udp
      query_name: shop.test
      query_type: A
  tcp_connect:
    prober: tcp
    timeout: 20s
    tcp:
      preferred_ip_protocol: ip4
      ip_protocol_fallback: false
  icmp:
    prober: icmp
    timeout: 20s
    icmp:
      preferred_ip_protocol: ip4
      ip_protocol_fallback: false
`

const ticksPerSecond = 100

/** CPU time of a process so far, all threads, user and system. */
function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
}

const fetchText = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve(text))
      response.on('error', reject)
    }).on('error', reject)
  })

/** The module of the peer that probes it, and what that is to probe. */
function moduleOf(url: string): [module: string, target: string] {
  if (url.startsWith('dns:')) return ['dns_a', new URL(url).host]
  if (url.startsWith('tcp:')) return ['tcp_connect', new URL(url).host]
  return url.startsWith('icmp:') ? ['icmp', url.slice('icmp:'.length)] : ['http_2xx', url]
}

/** Starts the peer. Returns undefined when it is not installed. */
export async function startBlackbox(folder: string, { rootFile }: BenchCertificates) {
  const config = join(folder, 'blackbox.yml')
  writeFileSync(config, modules(rootFile))
  const port = await freePort()
  const child = spawn(
    'prometheus-blackbox-exporter',
    [`--config.file=${config}`, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const started = await once(child, 'spawn').then(
    () => true,
    () => false,
  )
  const { pid } = child
  if (!started || pid === undefined) return undefined
  const probe = (url: string) => {
    const [module, target] = moduleOf(url)
    return fetchText(`http://127.0.0.1:${port}/probe?module=${module}&target=${encodeURIComponent(target)}`)
  }
  await untilUp(`http://127.0.0.1:${port}/-/healthy`)
  return {
    async run(url: string, count: number, inFlight: number): Promise<{ cpuMs: number; failed: number }> {
      let left = count
      let failed = 0
      const before = cpuMsOf(pid)
      const worker = async () => {
        while (left > 0) {
          left -= 1
          if (!(await probe(url)).includes('\nprobe_success 1')) failed += 1
        }
      }
      await Promise.all(Array.from({ length: inFlight }, worker))
      return { cpuMs: cpuMsOf(pid) - before, failed }
    },
    stop: () => child.kill(),
  }
}

async function untilUp(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      await fetchText(url)
      return
    } catch (error) {
      if (tries === 99) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

import { systemClock } from '@vedette/wire'
import { createEgress, createResolver } from '@vedette/checks/net'
import { AssertionPool } from '@vedette/checks/run'
import { createApiRun } from '../../packages/checks/src/api/run.ts'
import { createDnsRun } from '../../packages/checks/src/dns/run.ts'
import { createIcmpRun } from '../../packages/checks/src/icmp/run.ts'
import { run as runTcp } from '../../packages/checks/src/tcp/run.ts'
import { cpuBetween, readProcesses } from '../readings/processes.ts'

/** The engine under test, in its own process: runs checks as an agent's probe thread does and counts its CPU. */

export interface EngineOrder {
  /** What to request; of `tcp:` what to connect to, of `dns:` the name server to ask, of `icmp:` the host to ping. */
  url: string
  count: number
  inFlight: number
  /** Port of a nameserver to use instead of those of the machine. */
  dnsPort?: number
  /** Keep the assertion thread busy during the measurement. */
  burn?: boolean
}

export interface EngineAnswer {
  cpuMs: number
  failed: number
  error: string | null
  phases: Record<string, number>[]
  bodies: string[]
}

const noHosts = new Map<string, string[]>()
const pool = new AssertionPool({ clock: systemClock, limitMs: 5000 })
const systemEgress = createEgress()

const definitionOf = (url: string) => ({
  request: {
    method: 'GET' as const,
    url,
    followRedirects: false,
    skipSSL: false,
    ipFamily: 'IPv4' as const,
    body: '',
    bodyType: 'NONE' as const,
    headers: [],
    queryParameters: [],
    assertions: [],
    basicAuth: null,
  },
})

/** CPU of this process and of the programs that it has started. */
function cpuMeter(): () => number {
  const programs = () => readProcesses(process.pid).filter(({ pid }) => pid !== process.pid)
  const before = programs()
  const ownBefore = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(ownBefore)
    return cpuBetween(before, programs()).reduce((sum, { cpuMs }) => sum + cpuMs, (user + system) / 1000)
  }
}

/** Repeats a regular expression over a large body, as a heavy check would. */
async function burnCpu(over: () => boolean): Promise<void> {
  const assertion = {
    source: 'TEXT_BODY',
    comparison: 'NOT_NULL',
    property: '(?:a|b|c)*d',
    target: '',
    regex: null,
  } as const
  const subject = 'abc'.repeat(50_000)
  while (!over()) await pool.evaluate([{ assertion, reads: 'regex', subject, keep: 100 }])
}

type Seen = { phases: Record<string, number>; body: string } | { trouble: string }
type Context = Parameters<ReturnType<typeof createApiRun>>[1]

function apiProbe(order: EngineOrder): (context: Context) => Promise<Seen> {
  const nameservers = order.dnsPort === undefined ? [] : [{ address: '127.0.0.1', port: order.dnsPort }]
  const egress =
    order.dnsPort === undefined
      ? systemEgress
      : createEgress({ resolve: createResolver({ nameservers, hosts: noHosts, search: [] }) })
  const run = createApiRun(egress)
  const definition = definitionOf(order.url)
  return async (context) => {
    const { evidence, error } = await run(definition, context)
    const response = evidence?.response
    if (response?.status !== 200) return { trouble: error?.text ?? 'no answer with status 200' }
    return { phases: { ...response.timingPhases }, body: response.body }
  }
}

function dnsProbe({ url }: EngineOrder): (context: Context) => Promise<Seen> {
  const { hostname, port } = new URL(url)
  const question = { query: 'shop.test', recordType: 'A' as const, protocol: 'UDP' as const, assertions: [] }
  const definition = { request: { ...question, nameServer: hostname, port: Number(port) } }
  const run = createDnsRun()
  return async (context) => {
    const { evidence, error } = await run(definition, context)
    const response = evidence?.response
    if (response?.answer.Status !== 'NOERROR') return { trouble: error?.text ?? 'no answer with NOERROR' }
    return { phases: { ...response.timingPhases }, body: response.text }
  }
}

function tcpProbe({ url }: EngineOrder): (context: Context) => Promise<Seen> {
  const { hostname, port } = new URL(url)
  const definition = {
    request: { hostname, port: Number(port), data: null, ipFamily: 'IPv4' as const, assertions: [] },
  }
  return async (context) => {
    const { evidence, error } = await runTcp(definition, context)
    if (evidence?.response === undefined) return { trouble: error?.text ?? 'no connection' }
    return { phases: { ...evidence.response.timingPhases }, body: '' }
  }
}

function icmpProbe({ url }: EngineOrder): (context: Context) => Promise<Seen> {
  const definition = {
    request: { hostname: targetOf(url), ipFamily: 'IPv4' as const, pingCount: 1, assertions: [] },
  }
  const run = createIcmpRun()
  return async (context) => {
    const { evidence, internalError } = await run(definition, context)
    if (evidence?.response?.packetsReceived !== 1) return { trouble: internalError?.text ?? 'no answer to a ping' }
    return { phases: {}, body: '' }
  }
}

const targetOf = (url: string): string => url.slice(url.indexOf(':') + 1)

function probeOf(order: EngineOrder): (context: Context) => Promise<Seen> {
  if (order.url.startsWith('dns:')) return dnsProbe(order)
  if (order.url.startsWith('tcp:')) return tcpProbe(order)
  return order.url.startsWith('icmp:') ? icmpProbe(order) : apiProbe(order)
}

async function work(order: EngineOrder): Promise<EngineAnswer> {
  const probe = probeOf(order)
  const answer: EngineAnswer = { cpuMs: 0, failed: 0, error: null, phases: [], bodies: [] }
  let left = order.count
  let over = false
  const burning = order.burn ? burnCpu(() => over) : undefined
  const cpuMs = cpuMeter()
  const worker = async () => {
    while (left > 0) {
      left -= 1
      const context = {
        signal: new AbortController().signal,
        deadline: performance.now() + 30_000,
        egress: { privateTargets: true, deniedTargets: [] },
        variables: [],
        clock: { now: Date.now, monotonic: () => performance.now() },
        random: Math.random,
      }
      const seen = await probe(context)
      if ('trouble' in seen) {
        answer.failed += 1
        answer.error = seen.trouble
        continue
      }
      answer.phases.push(seen.phases)
      if (order.inFlight === 1) answer.bodies.push(seen.body)
    }
  }
  await Promise.all(Array.from({ length: order.inFlight }, worker))
  answer.cpuMs = cpuMs()
  over = true
  await burning
  return answer
}

process.on('message', (order: EngineOrder) => {
  work(order).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ cpuMs: 0, failed: order.count, error: String(error), phases: [], bodies: [] }),
  )
})
process.on('disconnect', () => process.exit())
process.send?.('ready')

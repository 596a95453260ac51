import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { dueAt, slotAtOrBefore } from '@vedette/wire'
import { removeDataDir, startProduct, type Product } from '../e2e/product.ts'
import { counter, createFleet } from './fleet.ts'
import { cpuBetween, median, pause, pssMb, quantile, readProcesses, wakeUps, type ProcessReading } from './processes.ts'
import type { ReportRow } from './row.ts'
import type { Arrival } from './target.ts'

const checks = 800
const rounds = 7
const roundMs = 12_000
const floorRequests = 400
/** A request that arrives so early still belongs to the slot that comes. */
const earlyMs = 1000

/** 800 HTTP checks every 20 s on the embedded database: CPU per run over all processes, and memory. */
export async function whole(report: ReportRow): Promise<void> {
  const target = await startTarget()
  const product = await startProduct()
  try {
    const pid = product.process.pid ?? 0
    console.error(
      `whole: creating ${checks} checks, then a minute of warm-up, then ${rounds} rounds of ${roundMs / 1000} s`,
    )
    const ids = await createFleet(
      product,
      Array.from({ length: checks }, (_, n) => definition(target.port, n)),
    )
    await pause(60_000)
    await arrivalsAt(target.child)
    const figures = await measure(product, pid, target.port)
    const lateness = (await arrivalsAt(target.child)).flatMap((arrival) => latenessOf(arrival, ids) ?? [])
    const memory = readProcesses(pid).map((each) => ({ ...each, mb: pssMb(each.pid) ?? 0 }))
    reportRuns(report, figures)
    reportLateness(report, lateness)
    reportMemory(report, memory)
  } finally {
    await product.stop()
    await removeDataDir(product.dataDir)
    target.child.disconnect()
  }
}

const row = { bench: 'whole', against: null, ratio: null, goal: null, met: null }

function reportRuns(report: ReportRow, figures: Awaited<ReturnType<typeof measure>>): void {
  const perRun = median(figures.perRun)
  const floor = median(figures.floor)
  report({ ...row, metric: 'runs stored per second', value: median(figures.rate), unit: '1/s' })
  report({
    ...row,
    metric: 'CPU per run, server + agent + database',
    value: perRun,
    unit: 'ms',
    against: 'a bare node:http request',
    ratio: perRun / floor,
    goal: '≤ 1.6 ms (stretch 1.0)',
    met: perRun <= 1.6,
  })
  report({ ...row, metric: 'wake-ups of all threads per second', value: median(figures.wakeUps), unit: '1/s' })
  for (const [name, ms] of figures.perProcess)
    report({ ...row, metric: `CPU per run of ${name}`, value: ms, unit: 'ms' })
}

function reportLateness(report: ReportRow, lateness: readonly number[]): void {
  for (const [share, goal] of latenessGoals) {
    const late = quantile(lateness, share)
    report({
      ...row,
      metric: `request arrives after its check is due, p${share * 100}`,
      value: late,
      unit: 'ms',
      goal: goal === undefined ? null : `≤ ${goal} ms`,
      met: goal === undefined ? null : late <= goal,
    })
  }
}

function reportMemory(report: ReportRow, memory: readonly (ProcessReading & { mb: number })[]): void {
  const total = memory.reduce((sum, each) => sum + each.mb, 0)
  report({
    ...row,
    metric: 'memory (PSS), all processes',
    value: total,
    unit: 'MB',
    goal: '≤ 600 MB (stretch 450)',
    met: total <= 600,
  })
  for (const each of memory) report({ ...row, metric: `memory of ${nameOf(each.command)}`, value: each.mb, unit: 'MB' })
}

const frequency = { frequency: 0, frequencyOffset: 20 }
/** From the due time to the request at the target, which includes the connection. */
const latenessGoals: readonly [share: number, goalMs: number | undefined][] = [
  [0.5, 15],
  [0.9, undefined],
  [0.99, 60],
]

/** What arrived at the target since the last call. */
async function arrivalsAt(target: ChildProcess): Promise<Arrival[]> {
  target.send({ tell: 'arrivals' })
  const [{ arrivals }] = (await once(target, 'message')) as [{ arrivals: Arrival[] }]
  return arrivals
}

/** Milliseconds after the due time of the nearest slot; undefined for requests that are no runs of checks. */
function latenessOf([path, at]: Arrival, ids: readonly string[]): number | undefined {
  const checkId = ids[Number(path.split('/check/')[1])]
  if (checkId === undefined) return undefined
  const schedule = { checkId, ...frequency }
  return at - dueAt(schedule, slotAtOrBefore(schedule, at + earlyMs))
}

const definition = (port: number, n: number) => ({
  name: `Fleet ${n}`,
  ...frequency,
  locations: ['eu-west-1'],
  request: {
    url: `http://127.0.0.1:${port}/check/${n}`,
    assertions: [
      { source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' },
      { source: 'JSON_BODY', property: '$.status', comparison: 'EQUALS', target: 'ok' },
    ],
  },
})

async function measure(product: Product, pid: number, port: number) {
  const perRun: number[] = []
  const rate: number[] = []
  const floor: number[] = []
  const perProcess = new Map<string, number>()
  const wakes: number[] = []
  for (let round = 0; round < rounds; round++) {
    floor.push(await bareRequestMs(port))
    const before = readProcesses(pid)
    const runsBefore = await counter(product, 'vedette_results_total')
    const wakesBefore = allWakeUps(before)
    const started = performance.now()
    await pause(roundMs)
    const seconds = (performance.now() - started) / 1000
    const runs = (await counter(product, 'vedette_results_total')) - runsBefore
    const used = cpuBetween(before, readProcesses(pid))
    if (runs === 0 || used.length === 0) throw new Error(reasonOf(product, `round ${round + 1} has no run to measure`))
    perRun.push(used.reduce((sum, each) => sum + each.cpuMs, 0) / runs)
    rate.push(runs / seconds)
    wakes.push((allWakeUps(before) - wakesBefore) / seconds)
    for (const each of used) perProcess.set(nameOf(each.command), each.cpuMs / runs)
  }
  return { perRun, rate, floor, perProcess, wakeUps: wakes }
}

const allWakeUps = (processes: readonly ProcessReading[]): number =>
  processes.reduce((sum, { pid }) => sum + wakeUps(pid), 0)

/** What is wrong, with the last lines of the server: it may have ended. */
function reasonOf(product: Product, text: string): string {
  const { exitCode } = product.process
  const ended = exitCode === null ? '' : `; the server ended with code ${exitCode}`
  return `${text}${ended}. It printed last:\n${product.output().split('\n').slice(-10).join('\n')}`
}

/** CPU of this process for a plain request on a new connection: the least that any HTTP check can cost. */
async function bareRequestMs(port: number): Promise<number> {
  const before = process.cpuUsage()
  for (let n = 0; n < floorRequests; n++) await bareRequest(port)
  const used = process.cpuUsage(before)
  return (used.user + used.system) / 1000 / floorRequests
}

function bareRequest(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path: '/floor', agent: false }, (response) => {
      response.resume()
      response.on('end', resolve)
    })
    call.on('error', reject)
    call.end()
  })
}

export async function startTarget(): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(fileURLToPath(new URL('./target.ts', import.meta.url)), [], {
    execArgv: ['--conditions=vedette-source', '--import', 'tsx'],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { child, port }
}

function nameOf(command: string): string {
  if (command.includes('server/dist/main.js')) return 'server and database'
  if (command.includes('packages/agent/')) return 'agent'
  return command.includes('esbuild') ? 'TypeScript loader' : command.slice(0, 40)
}

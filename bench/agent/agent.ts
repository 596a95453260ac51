import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkTypeOf, completeDefinition } from '@vedette/checks'
import type { Job, ResultReport } from '@vedette/wire'
import { startAgent, type SeparateAgent } from '../../e2e/agent.ts'
import { FakeServer } from '../../packages/agent/test-support/fake-server.ts'
import { scriptedJob } from '../../packages/agent/test-support/jobs.ts'
import type { BenchOptions } from '../options.ts'
import { makeCertificates } from '../probe/certificates.ts'
import { startTarget } from '../probe/processes.ts'
import type { TargetPorts } from '../probe/target.ts'
import { pssMb, withDescendants } from '../readings/processes.ts'
import { median, pause, quantile, sum } from '../readings/statistics.ts'
import { figure, type ReportRow } from '../row.ts'
import { startHoldingTarget } from './holding-target.ts'

const inFlight = 1000
const idleMs = 10_000
/** As servers ask for it. */
const renewEveryMs = 10_000
/** Runs of a second under load, and those whose measured time is compared with the truth, which come at rest too. */
const perSecond = { http: 500, https: 100, truths: 20 }
const roundSeconds = 8
/** The first seconds of a round do not count: connections and compilers warm up. */
const warmSeconds = 2
/** Jobs are handed out this long before they are due. */
const aheadMs = 500

interface Scene {
  server: FakeServer
  agent: SeparateAgent
  ports: TargetPorts
}

/**
 * One agent in a process of its own: its memory at rest and with many runs in flight, and how true its times stay under
 * load. Its server hands out what the bench says and stores nothing, so that the agent is what is measured.
 */
export async function agent(report: ReportRow, { rounds = 3 }: BenchOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-bench-'))
  const certificates = makeCertificates(folder)
  const server = new FakeServer()
  server.renewEveryMs = renewEveryMs
  await server.start()
  const target = await startTarget(certificates)
  const started = await startAgent({
    url: server.url,
    key: server.key,
    spoolDir: join(folder, 'spool'),
    // The allocator is set as the image and the unit of systemd set it.
    env: {
      NODE_EXTRA_CA_CERTS: certificates.rootFile,
      JOB_CONCURRENCY: String(2 * inFlight),
      MALLOC_MMAP_THRESHOLD_: '131072',
    },
  })
  try {
    const scene = { server, agent: started, ports: target.ports }
    await memory(scene, report)
    await times(scene, rounds, report)
  } finally {
    await started.stop()
    target.stop()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const memoryOf = ({ agent: { pid = 0 } }: Scene): number => sum(withDescendants(pid).map((each) => pssMb(each) ?? 0))

async function memory(scene: Scene, report: ReportRow): Promise<void> {
  const { server, ports } = scene
  await pause(idleMs)
  const atRest = memoryOf(scene)
  report({ ...figure('agent', 'memory (PSS) at rest', atRest, 'MB'), goal: '≤ 90 MB', met: atRest <= 90 })
  // What the first runs load is not of those in flight.
  server.give(...Array.from({ length: 200 }, () => jobFor(`http://127.0.0.1:${ports.http}/`, Date.now())))
  await server.until(() => server.results.length >= 200)
  await pause(idleMs)
  const before = memoryOf(scene)
  report(figure('agent', 'memory (PSS) at rest, after 200 runs', before, 'MB'))

  const holding = await startHoldingTarget()
  server.give(...Array.from({ length: inFlight }, () => jobFor(holding.url, Date.now())))
  await holding.held(inFlight)
  const each = (memoryOf(scene) - before) / inFlight
  report({
    ...figure('agent', `memory (PSS) of each of ${inFlight} runs in flight`, each, 'MB'),
    goal: '≤ 0.5 MB',
    met: each <= 0.5,
  })
  holding.release()
  await server.until(() => server.results.length >= 200 + inFlight)
  failed(server.results)
  await holding.stop()
}

/** Every run of this bench passes: one that does not has measured something else. */
function failed(results: readonly ResultReport[]): void {
  const bad = results.find(({ verdict }) => verdict.outcome !== 'pass')
  if (bad !== undefined)
    throw new Error(`A run did not pass: ${bad.verdict.cause || JSON.stringify(bad.internalError)}`)
}

async function times(scene: Scene, rounds: number, report: ReportRow): Promise<void> {
  const rest: Seen[] = []
  const load: Seen[] = []
  for (let n = 0; n < rounds; n++) {
    console.error(`agent: round ${n + 1} of ${rounds}`)
    rest.push(await round(scene, { http: 0, https: 0 }))
    load.push(await round(scene, perSecond))
  }
  const p95 = (seen: readonly Seen[]) => seen.map(({ errors }) => quantile(errors, 0.95))
  const [atRest, loaded] = [median(p95(rest)), median(p95(load))]
  const under = `under ${perSecond.http} HTTP and ${perSecond.https} HTTPS runs a second`
  report({ ...figure('agent', 'error of the measured time at rest, p95', atRest, 'ms'), spread: spread(p95(rest)) })
  report({
    ...figure('agent', `error of the measured time ${under}, p95`, loaded, 'ms'),
    spread: spread(p95(load)),
    against: 'at rest',
    goal: '≤ 5 ms more than at rest',
    met: loaded - atRest <= 5,
  })
  const late = load.map(({ starts }) => quantile(starts, 0.99))
  const start = median(late)
  report({
    ...figure('agent', `start after the due time ${under}, p99`, start, 'ms'),
    spread: spread(late),
    goal: '≤ 5 ms',
    met: start <= 5,
  })
}

const spread = (values: readonly number[]) => [Math.min(...values), Math.max(...values)] as const

/** Milliseconds, of each run that counts. */
interface Seen {
  /** The measured time less the time for which the target held the run. */
  errors: number[]
  /** Start less due time, of all runs. */
  starts: number[]
}

async function round({ server, ports }: Scene, beside: { http: number; https: number }): Promise<Seen> {
  const kinds = [
    { url: `http://127.0.0.1:${ports.held}/`, perSecond: perSecond.truths },
    { url: `http://127.0.0.1:${ports.http}/`, perSecond: beside.http },
    { url: `https://127.0.0.1:${ports.https}/`, perSecond: beside.https },
  ]
  const begin = Date.now() + 2 * aheadMs
  const dues = new Map<string, number>()
  const end = begin + (warmSeconds + roundSeconds) * 1000
  const before = server.results.length
  for (let from = begin; from < end; from += aheadMs) {
    const jobs = kinds.flatMap(({ url, perSecond: rate }) => {
      const count = Math.round((rate * aheadMs) / 1000)
      return Array.from({ length: count }, (_, n) => jobFor(url, Math.round(from + (n * aheadMs) / count)))
    })
    for (const job of jobs) dues.set(job.lease, job.dueAt)
    await pause(from - aheadMs - Date.now())
    server.give(...jobs.toSorted((a, b) => a.dueAt - b.dueAt))
  }
  await server.until(() => server.results.length >= before + dues.size)
  const results = server.results.slice(before)
  failed(results)
  const counted = results.filter(({ lease }) => (dues.get(lease) ?? 0) >= begin + warmSeconds * 1000)
  return {
    errors: counted.flatMap((one) => errorOf(one) ?? []),
    starts: counted.map(({ lease, startedAt }) => (startedAt ?? Number.NaN) - (dues.get(lease) ?? Number.NaN)),
  }
}

/** Undefined for a run whose target did not say how long it held it. */
function errorOf({ result }: ResultReport): number | undefined {
  const { response } = result['apiCheckResult'] as {
    response: { body: string; timingPhases: { total: number } }
  }
  const { firstByte, download } = JSON.parse(response.body) as { firstByte?: number; download?: number }
  if (firstByte === undefined || download === undefined) return undefined
  return response.timingPhases.total - firstByte - download
}

const definitions = new Map<string, Record<string, unknown>>()

function jobFor(url: string, dueAt: number): Job {
  const definition = definitions.get(url) ?? definitionFor(url)
  definitions.set(url, definition)
  return scriptedJob('', { definition, dueAt, leaseExpiresAt: dueAt + 90_000 })
}

function definitionFor(url: string): Record<string, unknown> {
  const type = checkTypeOf('API')
  if (type === undefined) throw new Error('API checks are built in')
  return completeDefinition(type, { name: 'A check', request: { url } }, randomUUID())
}

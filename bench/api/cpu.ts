import { removeDataDir, startProduct, type Product } from '../../e2e/product.ts'
import { startPostgres } from '../../scripts/postgres.mjs'
import { createFleet, keysFor } from '../fleet.ts'
import { cpuBetween, readProcesses } from '../readings/processes.ts'
import { median, pause, sum } from '../readings/statistics.ts'
import { figure, type BenchRow } from '../row.ts'
import { definition } from '../subjects/vedette.ts'
import { processName } from '../whole/process-name.ts'
import { startBarePeer } from './bare-peer.ts'
import { callerOf, type Call, type Caller } from './calls.ts'

const checks = 100
const atOnce = 4
const restMs = 3000
const peerName = 'node:http with pg'
const goal = 2.5

/** A call whose CPU is measured, so often in a round. */
interface Costed {
  name: string
  times: number
  /** Number `n` of the calls. */
  call: (n: number) => Call
  /** Whether the bare server does the same. */
  hasPeer: boolean
}

/** CPU of one request on PostgreSQL: of the server alone, which has nothing else to do, beside a bare one. */
export async function cpuOfRequests(rounds: number): Promise<BenchRow[]> {
  const postgres = await startPostgres()
  try {
    const product = await startProduct({ env: { DATABASE_URL: postgres.url } })
    try {
      return await beside(product, postgres.url, rounds)
    } finally {
      await product.stop()
      await removeDataDir(product.dataDir)
    }
  } finally {
    await postgres.stop()
  }
}

async function beside(product: Product, databaseUrl: string, rounds: number): Promise<BenchRow[]> {
  const resting = Array.from({ length: checks }, (_, n) => ({ ...definition(1, n), activated: false }))
  const [id = '', ofPeer = ''] = await createFleet(product, resting)
  const { body: check } = await product.api<object>('GET', `/v1/checks/${id}`)
  const read: Call = { method: 'GET', path: `/v1/checks/${id}` }
  const write = (checkId: string, n: number): Call => ({
    method: 'PUT',
    path: `/v1/checks/api/${checkId}`,
    body: { ...check, muted: n % 2 === 0 },
  })
  const costed: Costed[] = [
    { name: 'a check', times: 1000, call: () => read, hasPeer: true },
    { name: 'PUT of a check', times: 400, call: (n) => write(id, n), hasPeer: true },
    { name: 'a list of 100', times: 100, call: () => ({ ...read, path: '/v1/checks?limit=100' }), hasPeer: false },
  ]
  const calls = sum(costed.map(({ times }) => times)) * (rounds + 1)
  const ours = callerOf(product.url, await keysFor(product, calls))
  const peer = await startBarePeer(databaseUrl, { read, write: write(ofPeer, 0), apiKey: product.apiKey })
  const theirs = callerOf(peer.url, () => ({}))
  const serverPid = pidOfServer(product)
  try {
    const rows: BenchRow[] = []
    for (const each of costed) {
      console.error(`api: CPU of ${each.name}`)
      const measure = (caller: Caller, pid: number) => cpuPerCall(caller, pid, each)
      await measure(ours, serverPid)
      if (each.hasPeer) await measure(theirs, peer.pid)
      const [own, bare]: [number[], number[]] = [[], []]
      for (let round = 0; round < rounds; round++) {
        own.push(await measure(ours, serverPid))
        if (each.hasPeer) bare.push(await measure(theirs, peer.pid))
      }
      rows.push(rowOf(each, own, bare))
    }
    return rows
  } finally {
    ours.close()
    theirs.close()
    peer.stop()
  }
}

const pidOfServer = (product: Product): number =>
  readProcesses(product.process.pid ?? 0).find(({ command }) => processName(command) === 'server')?.pid ?? 0

/** CPU of the process for one call in milliseconds, without what it uses at rest. */
async function cpuPerCall(caller: Caller, pid: number, { times, call }: Costed): Promise<number> {
  const atRest = await cpuOf(pid, () => pause(restMs))
  const busy = await cpuOf(pid, async () => {
    let next = 0
    const worker = async () => {
      while (next < times) await caller.send(call(next++))
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
  })
  return (busy.cpuMs - (atRest.cpuMs * busy.ms) / atRest.ms) / times
}

async function cpuOf(pid: number, work: () => Promise<unknown>): Promise<{ cpuMs: number; ms: number }> {
  const ownOf = () => readProcesses(pid).filter((each) => each.pid === pid)
  const [began, before] = [performance.now(), ownOf()]
  await work()
  return { cpuMs: sum(cpuBetween(before, ownOf()).map(({ cpuMs }) => cpuMs)), ms: performance.now() - began }
}

function rowOf({ name }: Costed, own: readonly number[], bare: readonly number[]): BenchRow {
  const value = median(own)
  const row: BenchRow = {
    ...figure('api', `CPU of a request on PostgreSQL: ${name}`, value, 'ms'),
    spread: [Math.min(...own), Math.max(...own)],
  }
  if (bare.length === 0) return row
  const ratio = median(own.map((each, n) => each / (bare[n] ?? Number.NaN)))
  const against = `${peerName}: ${median(bare).toFixed(2)} ms`
  return { ...row, against, ratio, goal: `≤ ${goal} ×`, met: ratio <= goal }
}

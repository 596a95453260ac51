import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accuracy, interference, tcpAgainstCurl } from './probe/accuracy.ts'
import { makeCertificates } from './probe/certificates.ts'
import type { EngineAnswer } from './probe/engine.ts'
import { startBlackbox, startEngine, startTarget } from './probe/processes.ts'
import { median } from './probe/statistics.ts'
import type { BenchRow } from './row.ts'

export interface ProbeBenchOptions {
  rounds: number
  httpProbes: number
  httpsProbes: number
  tcpProbes: number
  dnsProbes: number
  icmpProbes: number
  /** Probes in each measurement of the phases. */
  samples: number
}

const usual: ProbeBenchOptions = {
  rounds: 7,
  httpProbes: 2000,
  httpsProbes: 800,
  tcpProbes: 4000,
  dnsProbes: 2000,
  icmpProbes: 8000,
  samples: 60,
}
const inFlight = 16
const peerName = 'blackbox_exporter'
const missingPeer = `${peerName} (missing: apt-get install -y prometheus-blackbox-exporter)`

type Engine = Awaited<ReturnType<typeof startEngine>>
type Blackbox = Awaited<ReturnType<typeof startBlackbox>>

interface Race {
  metric: string
  url: string
  probes: number
  goal: number
}

function checked(
  name: string,
  { failed, ...answer }: { failed: number; cpuMs: number; error?: string | null },
): number {
  if (failed > 0) throw new Error(`${failed} probes of ${name} failed: ${answer.error ?? 'unknown'}`)
  return answer.cpuMs
}

/** Probes per CPU-second of both. They alternate, so that a slow minute of the machine affects both. */
async function race(
  { metric, url, probes, goal }: Race,
  engine: Engine,
  blackbox: Blackbox,
  rounds: number,
): Promise<BenchRow> {
  const order = { url, count: probes, inFlight }
  const ours: number[] = []
  const theirs: number[] = []
  // The first round warms up compilers and connection tables and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    const own: EngineAnswer = await engine.run(order)
    const ownCpu = checked('the engine', own)
    const peerCpu = blackbox && checked(peerName, await blackbox.run(url, probes, inFlight))
    if (round === 0) continue
    ours.push((probes * 1000) / ownCpu)
    if (peerCpu !== undefined) theirs.push((probes * 1000) / peerCpu)
  }
  const value = median(ours)
  const ratio = blackbox === undefined ? null : Number((value / median(theirs)).toFixed(3))
  return {
    bench: 'probe',
    metric,
    value: Math.round(value),
    unit: 'probes per CPU-second',
    against: blackbox === undefined ? missingPeer : peerName,
    ratio,
    goal: `>= ${goal} x`,
    met: ratio === null ? null : ratio >= goal,
  }
}

/** The network engine against its peer and against injected truth. Loopback only. */
export async function probe(report: (row: BenchRow) => void, options: Partial<ProbeBenchOptions> = {}): Promise<void> {
  const { rounds, httpProbes, httpsProbes, tcpProbes, dnsProbes, icmpProbes, samples } = { ...usual, ...options }
  const folder = mkdtempSync(join(tmpdir(), 'vedette-bench-'))
  const certificates = makeCertificates(folder)
  const target = await startTarget(certificates)
  const engine = await startEngine(certificates)
  const blackbox = await startBlackbox(folder, certificates)
  try {
    const { ports } = target
    const http = { metric: 'HTTP', url: `http://localhost:${ports.http}/`, probes: httpProbes, goal: 2 }
    report(await race(http, engine, blackbox, rounds))
    const https = {
      metric: 'HTTPS, verified',
      url: `https://localhost:${ports.https}/`,
      probes: httpsProbes,
      goal: 0.8,
    }
    report(await race(https, engine, blackbox, rounds))
    const tcp = { metric: 'TCP', url: `tcp://127.0.0.1:${ports.http}`, probes: tcpProbes, goal: 3 }
    report(await race(tcp, engine, blackbox, rounds))
    const dns = { metric: 'DNS over UDP', url: `dns://127.0.0.1:${ports.quickDns}`, probes: dnsProbes, goal: 3 }
    report(await race(dns, engine, blackbox, rounds))
    const icmp = { metric: 'ICMP', url: 'icmp:127.0.0.1', probes: icmpProbes, goal: 8 }
    report(await race(icmp, engine, blackbox, rounds))
    await accuracy(engine.run, target, samples, report)
    await tcpAgainstCurl(engine.run, ports, samples, report)
    await interference(engine.run, ports, samples, report)
  } finally {
    blackbox?.stop()
    engine.stop()
    target.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

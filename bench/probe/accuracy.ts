import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { BenchRow } from '../row.ts'
import type { EngineAnswer, EngineOrder } from './engine.ts'
import type { Holds, TargetPorts } from './target.ts'
import { median, percentile } from './statistics.ts'

type Run = (order: EngineOrder) => Promise<EngineAnswer>

const toleranceMs = 1.5
const tcpToleranceMs = 1
const interferenceMs = 5

const row = (metric: string, value: number, against: string, goalMs: number): BenchRow => ({
  bench: 'probe',
  metric,
  value: Number(value.toFixed(3)),
  unit: 'ms',
  against,
  ratio: null,
  goal: `<= ${goalMs} ms`,
  met: Math.abs(value) <= goalMs,
})

const phase = ({ phases }: EngineAnswer, name: string): number[] => phases.map((each) => each[name] ?? Number.NaN)

const errors = (measured: readonly number[], truth: readonly number[]): number[] =>
  measured.map((value, index) => value - (truth[index] ?? Number.NaN))

interface Truth {
  firstByte: number
  download: number
}

/** The error of each measured phase against the time the target really held it. One probe at a time. */
export async function accuracy(
  run: Run,
  target: { ports: TargetPorts; holds: () => Promise<Holds> },
  count: number,
  report: (row: BenchRow) => void,
): Promise<void> {
  const { ports } = target
  const held = { url: `http://held.test:${ports.held}/`, count, inFlight: 1, dnsPort: ports.dns }
  await run({ ...held, count: 5 })
  const before = await target.holds()
  const seen = await run(held)
  const after = await target.holds()
  const truths = seen.bodies.map((body) => JSON.parse(body) as Truth)
  const dns = errors(phase(seen, 'dns'), after.dns.slice(before.dns.length))
  const first = errors(
    phase(seen, 'firstByte'),
    truths.map(({ firstByte }) => firstByte),
  )
  const download = errors(
    phase(seen, 'download'),
    truths.map(({ download: ms }) => ms),
  )
  report(row('dns phase, error p50', median(dns), 'injected hold', toleranceMs))
  report(row('firstByte phase, error p50', median(first), 'injected hold', toleranceMs))
  report(row('download phase, error p50', median(download), 'injected hold', toleranceMs))

  const unheld = await run({ url: `https://127.0.0.1:${ports.https}/`, count, inFlight: 1 })
  const tls = await run({ url: `https://127.0.0.1:${ports.heldTls}/`, count, inFlight: 1 })
  const handshakes = errors(phase(tls, 'tls'), (await target.holds()).tls.slice(after.tls.length))
  const net = median(handshakes) - median(phase(unheld, 'tls'))
  report(row('tls phase, error p50 after an unheld handshake', net, 'injected hold', toleranceMs))
}

/** The tcp phase compared with curl's, which reads the same clock around the same system call. */
export async function tcpAgainstCurl(
  run: Run,
  ports: TargetPorts,
  count: number,
  report: (row: BenchRow) => void,
): Promise<void> {
  const url = `http://127.0.0.1:${ports.http}/`
  const curl = promisify(execFile)
  const theirs: number[] = []
  try {
    for (let index = 0; index < count; index += 1) {
      const { stdout } = await curl('curl', ['-s', '-o', '/dev/null', '-w', '%{time_namelookup} %{time_connect}', url])
      const [lookup = Number.NaN, connect = Number.NaN] = stdout.split(' ').map(Number)
      theirs.push((connect - lookup) * 1000)
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    report({
      ...row('tcp phase, difference p50', 0, 'curl (missing: apt-get install -y curl)', tcpToleranceMs),
      met: null,
    })
    return
  }
  const ours = await run({ url, count, inFlight: 1 })
  report(row('tcp phase, difference p50', median(phase(ours, 'tcp')) - median(theirs), 'curl', tcpToleranceMs))
}

/** How much the error of the total changes while another check's assertion keeps its own thread busy. */
export async function interference(
  run: Run,
  ports: TargetPorts,
  count: number,
  report: (row: BenchRow) => void,
): Promise<void> {
  const order = { url: `http://127.0.0.1:${ports.held}/`, count, inFlight: 1 }
  const errorOf = (answer: EngineAnswer) => {
    const truths = answer.bodies.map((body) => JSON.parse(body) as Truth)
    return errors(
      phase(answer, 'total'),
      truths.map(({ firstByte, download }) => firstByte + download),
    )
  }
  const idle = errorOf(await run(order))
  const busy = errorOf(await run({ ...order, burn: true }))
  const moved = percentile(busy, 0.95) - percentile(idle, 0.95)
  report({
    ...row('total, p95 moved by a CPU-burning assertion', moved, 'idle', interferenceMs),
    met: moved <= interferenceMs,
  })
}

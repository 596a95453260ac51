import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { removeDataDir, startProduct } from '../../e2e/product.ts'
import type { BenchOptions } from '../options.ts'
import { createFleet } from '../fleet.ts'
import { quantile } from '../readings/statistics.ts'
import { figure, type ReportRow } from '../row.ts'

/** A check takes 120 events a minute, an address may send 6000. */
const checks = 400
const addresses = 24
const socketsPerAddress = 4
const roundMs = 4000

/** How many pings a second are stored and answered, beside a bare server that stores nothing. Rounds take turns. */
export async function pings(report: ReportRow, { rounds = 3 }: BenchOptions): Promise<void> {
  const bare = fork(fileURLToPath(new URL('./bare-http.ts', import.meta.url)), [], { execArgv: ['--import', 'tsx'] })
  const [{ port }] = (await once(bare, 'message')) as [{ port: number }]
  const product = await startProduct()
  try {
    const tokens = Array.from({ length: checks }, () => randomUUID())
    await createFleet(product, tokens.map(definition), 'heartbeat')
    const ofBare: Round[] = []
    const ofProduct: Round[] = []
    for (let n = 0; n < rounds; n++) {
      console.error(`pings: round ${n + 1} of ${rounds}`)
      ofBare.push(await round(() => `http://127.0.0.1:${port}/events/${tokens[0]}`))
      let at = 0
      ofProduct.push(await round(() => `${product.url}/events/${tokens[at++ % checks]}`))
    }
    tell(report, ofBare, ofProduct)
  } finally {
    await product.stop()
    await removeDataDir(product.dataDir)
    bare.disconnect()
  }
}

const definition = (pingToken: string, n: number) => ({
  name: `Job ${n}`,
  heartbeat: { period: 1, periodUnit: 'days', grace: 1, graceUnit: 'hours', pingToken },
})

interface Round {
  perSecond: number
  /** Milliseconds of each answer. */
  times: number[]
}

function tell(report: ReportRow, ofBare: readonly Round[], ofProduct: readonly Round[]): void {
  const rates = (all: readonly Round[]) => all.map(({ perSecond }) => perSecond).toSorted((a, b) => a - b)
  const [bare, own] = [rates(ofBare), rates(ofProduct)]
  const spread = (all: number[]) => [all[0] ?? 0, all.at(-1) ?? 0] as const
  const [median, peer] = [quantile(own, 0.5), quantile(bare, 0.5)]
  report({ ...figure('pings', 'a bare server answers', peer, '1/s'), spread: spread(bare) })
  report({
    ...figure('pings', 'stored and answered', median, '1/s'),
    spread: spread(own),
    against: 'a bare server that stores nothing',
    ratio: median / peer,
    goal: '≥ 1000/s',
    met: median >= 1000,
  })
  const times = ofProduct.flatMap((one) => one.times)
  report(figure('pings', 'an answer, p50', quantile(times, 0.5), 'ms'))
  report(figure('pings', 'an answer, p99', quantile(times, 0.99), 'ms'))
}

/** Sends from many addresses, each over a few connections that stay open, as fast as answers come. */
async function round(urlOf: () => string): Promise<Round> {
  const end = performance.now() + roundMs
  const times: number[] = []
  const agents = Array.from({ length: addresses }, () => new Agent({ keepAlive: true, maxSockets: socketsPerAddress }))
  const senders = agents.flatMap((agent, n) =>
    Array.from({ length: socketsPerAddress }, async () => {
      while (performance.now() < end) times.push(await send(urlOf(), agent, `127.0.1.${n + 1}`))
    }),
  )
  const began = performance.now()
  await Promise.all(senders)
  const seconds = (performance.now() - began) / 1000
  for (const agent of agents) agent.destroy()
  return { perSecond: times.length / seconds, times }
}

/** Returns how long the answer took. Throws for any answer but 200. */
const send = (url: string, agent: Agent, localAddress: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    const sent = request(url, { method: 'POST', agent, localAddress }, (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - began)
        else reject(new Error(`A ping was answered with ${response.statusCode}.`))
      })
    })
    sent.on('error', reject)
    sent.end()
  })

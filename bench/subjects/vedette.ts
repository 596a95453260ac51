import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { newDataDir, removeDataDir, startProduct, type Product } from '../../e2e/product.ts'
import { createFleet, metric, readLists, setActivated } from '../fleet.ts'
import { UsageError } from '../options.ts'
import { periodSeconds, type OwnSession, type Session, type Subject } from './subject.ts'

export interface OwnSubject extends Subject {
  start(): Promise<OwnedSession>
}

/** A session of this product, which tells about itself. */
export type OwnedSession = Session & { own: OwnSession }

/** A built checkout of this product, whose checks ask the port. */
export async function vedette(name: string, checkout: string, port: number): Promise<OwnSubject> {
  const folder = resolve(checkout)
  if (!existsSync(join(folder, 'packages/server/dist/main.js')))
    throw new UsageError(`${folder} holds no built checkout: run "npm run build" in it first.`)
  const dataDir = await newDataDir()
  /** In the order of their paths; those after the first `running` do not run. */
  const fleet: string[] = []
  let running = 0
  const hold = async (product: Product, checks: number): Promise<void> => {
    await setActivated(product, fleet.slice(checks, running), false)
    await setActivated(product, fleet.slice(running, checks), true)
    const missing = Array.from({ length: Math.max(0, checks - fleet.length) }, (_, n) => fleet.length + n)
    fleet.push(
      ...(await createFleet(
        product,
        missing.map((n) => definition(port, n)),
      )),
    )
    running = checks
  }
  return {
    name,
    start: async () => {
      const product = await startProduct({ folder, dataDir })
      return sessionOf(product, { hold, ids: () => fleet.slice(0, running) })
    },
    remove: () => removeDataDir(dataDir),
  }
}

interface Fleet {
  hold: (product: Product, checks: number) => Promise<void>
  ids: () => readonly string[]
}

function sessionOf(product: Product, { hold, ids }: Fleet): OwnedSession {
  return {
    pid: product.process.pid ?? 0,
    hold: (checks) => hold(product, checks),
    own: {
      stored: () => metric(product, 'vedette_results_total'),
      ids,
      url: product.url,
      api: (method, path, body) => product.api(method, path, body),
      lists: (paths) => readLists(product, paths),
      apiKey: product.apiKey,
    },
    lastOutput: () => product.output().split('\n').slice(-10).join('\n'),
    stop: async () => void (await product.stop()),
  }
}

/** The schedule of every check, apart from its id. */
export const schedule = { frequency: 0, frequencyOffset: periodSeconds }

/** Check number `n` of a fleet that asks the target. */
export const definition = (port: number, n: number) => ({
  name: `Fleet ${String(n).padStart(5, '0')}`,
  ...schedule,
  locations: ['eu-west-1'],
  request: {
    url: `http://127.0.0.1:${port}/check/${n}`,
    assertions: [
      { source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' },
      { source: 'JSON_BODY', property: '$.status', comparison: 'EQUALS', target: 'ok' },
    ],
  },
})

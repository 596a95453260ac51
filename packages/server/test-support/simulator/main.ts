import { parseArgs } from 'node:util'
import type { Database } from '../../src/db/database.ts'
import { openTestDatabase } from '../open-database.ts'
import { randomScript, type Size } from './random-script.ts'
import { simulate } from './simulate.ts'

const help = `Runs random simulations, and says which seeds broke a promise.
  npm run simulate -- --seeds 1000          as many seeds, fresh ones
  npm run simulate -- --seeds 100 --from 7  the seeds 7 to 106
  npm run simulate -- --seed 7 --verbose    one seed, with everything that happens
  --checks 5 --minutes 8 --servers 1        size of the world; two servers need PostgreSQL (scripts/with-postgres.mjs)`

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '30' },
    from: { type: 'string' },
    seed: { type: 'string' },
    checks: { type: 'string', default: '5' },
    minutes: { type: 'string', default: '8' },
    servers: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(help)
else process.exitCode = await main()

async function main(): Promise<number> {
  const db = await openTestDatabase()
  try {
    const servers = Number(values.servers ?? (db.kind === 'embedded' ? 1 : 2))
    if (servers > 1 && db.kind === 'embedded') throw new Error('Two servers cannot share the embedded database.')
    const size = { checks: Number(values.checks), minutes: Number(values.minutes), servers }
    return (await runSeeds(db, size)) === 0 ? 0 : 1
  } finally {
    await db.close()
  }
}

async function runSeeds(db: Database, size: Size): Promise<number> {
  const broken: number[] = []
  const began = performance.now()
  const seeds = seedsToRun()
  for (const [at, seed] of seeds.entries()) {
    const onEvent = values.verbose ? (event: string) => console.log(event) : undefined
    const found = await simulate(db, randomScript(seed, size), onEvent)
    for (const sentence of found.broken) console.log(`seed ${seed}: ${sentence}`)
    if (found.broken.length > 0) broken.push(seed)
    const isToTell = found.broken.length > 0 || (at + 1) % 10 === 0 || at + 1 === seeds.length
    if (isToTell) {
      const seconds = Math.round((performance.now() - began) / 1000)
      console.log(`${at + 1} of ${seeds.length} seeds in ${seconds} s, ${broken.length} broken`)
    }
  }
  if (broken.length === 0) return 0
  const { checks, minutes, servers } = size
  console.log(`Broken: ${broken.join(', ')}. To see what happened:`)
  for (const seed of broken.slice(0, 5)) {
    console.log(
      `  npm run simulate -- --seed ${seed} --checks ${checks} --minutes ${minutes} --servers ${servers} --verbose`,
    )
  }
  return broken.length
}

function seedsToRun(): number[] {
  if (values.seed !== undefined) return [Number(values.seed)]
  const count = Number(values.seeds)
  const { from } = values
  if (from !== undefined) return Array.from({ length: count }, (_, at) => Number(from) + at)
  return Array.from({ length: count }, () => Math.floor(Math.random() * 2 ** 31))
}

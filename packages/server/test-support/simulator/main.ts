import { parseArgs } from 'node:util'
import type { Database } from '../../src/db/database.ts'
import { openTestDatabase } from '../open-database.ts'
import { randomScript, type Size } from './random-script.ts'
import { runScenario } from './scenarios/run-scenario.ts'
import { scenariosFor } from './scenarios/scenarios.ts'
import { simulate, type Simulation } from './simulate.ts'

const help = `Runs random simulations, and says which seeds broke a promise.
  npm run simulate -- --seeds 1000          as many seeds, fresh ones
  npm run simulate -- --seeds 100 --from 7  the seeds 7 to 106
  npm run simulate -- --seed 7 --verbose    one seed, with everything that happens
  npm run simulate -- --scenarios spool     the fixed scenarios whose names hold the word, or all
  --checks 5 --minutes 8 --servers 1        size of the world; two servers need PostgreSQL (scripts/with-postgres.mjs)`

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '30' },
    from: { type: 'string' },
    seed: { type: 'string' },
    checks: { type: 'string', default: '5' },
    minutes: { type: 'string', default: '8' },
    servers: { type: 'string' },
    scenarios: { type: 'string' },
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
    const broken = values.scenarios === undefined ? await runSeeds(db, size) : await runScenarios(db, values.scenarios)
    return broken === 0 ? 0 : 1
  } finally {
    await db.close()
  }
}

/** Runs the fixed scenarios whose names hold the word. */
async function runScenarios(db: Database, word: string): Promise<number> {
  let brokenScenarios = 0
  for (const scenario of scenariosFor(db.kind).filter(({ name }) => name.includes(word))) {
    const began = process.cpuUsage()
    const broken = await runScenario(db, scenario, {
      ...(values.verbose && { onEvent: console.log }),
    })
    const { user, system } = process.cpuUsage(began)
    if (broken.length > 0) brokenScenarios++
    const verdict = broken.length === 0 ? 'holds' : 'BROKEN'
    console.log(`${verdict} (${((user + system) / 1e6).toFixed(1)} s of CPU): ${scenario.name}`)
    for (const sentence of broken.slice(0, 5)) console.log(`    ${sentence}`)
  }
  return brokenScenarios
}

async function runSeeds(db: Database, size: Size): Promise<number> {
  const broken: number[] = []
  const began = performance.now()
  const seeds = seedsToRun()
  for (const [at, seed] of seeds.entries()) {
    const onEvent = values.verbose ? (event: string) => console.log(event) : undefined
    const found = await simulate(db, randomScript(seed, size), { ...(onEvent && { onEvent }) })
    tellBroken(seed, found)
    if (found.broken.length > 0) broken.push(seed)
    const isToTell = found.broken.length > 0 || (at + 1) % 10 === 0 || at + 1 === seeds.length
    if (isToTell) {
      const seconds = Math.round((performance.now() - began) / 1000)
      console.log(`${at + 1} of ${seeds.length} seeds in ${seconds} s, ${broken.length} broken`)
    }
  }
  if (broken.length > 0) tellHowToRepeat(broken, size)
  return broken.length
}

function tellBroken(seed: number, found: Simulation): void {
  if (values.verbose) for (const line of whatIsStored(found)) console.log(line)
  const shown = values.verbose ? found.broken : found.broken.slice(0, 5)
  for (const sentence of shown) console.log(`seed ${seed}: ${sentence}`)
}

function tellHowToRepeat(broken: readonly number[], { checks, minutes, servers }: Size): void {
  console.log(`Broken: ${broken.join(', ')}. To see what happened:`)
  const of = `--checks ${checks} --minutes ${minutes} --servers ${servers} --verbose`
  for (const seed of broken.slice(0, 5)) console.log(`  npm run simulate -- --seed ${seed} ${of}`)
}

/** What is stored of the checks that a broken promise names. */
function whatIsStored({ broken, history, chronicle }: Simulation): string[] {
  const time = (at: number) => new Date(at).toISOString().slice(11, 23)
  const isNamed = (id: string) => broken.some((sentence) => sentence.includes(id))
  const results = history.results.filter(({ checkId }) => isNamed(checkId))
  const alerts = history.alerts.filter(({ checkId }) => isNamed(checkId))
  return [
    ...chronicle.checks.filter(({ id }) => isNamed(id)).map((check) => JSON.stringify(check)),
    ...results
      .toSorted((a, b) => a.receivedAt - b.receivedAt)
      .map(({ checkId, dueAt, receivedAt, location, resultType, attempts, outcome, late }) =>
        [checkId.slice(0, 4), 'due', time(dueAt), location, resultType, attempts, outcome, late ? 'late' : '']
          .concat(['received', time(receivedAt)])
          .join(' '),
      ),
    ...alerts.map(({ checkId, type, at, resultId }) => `${checkId.slice(0, 4)} ${type} at ${time(at)} by ${resultId}`),
    ...history.gaps.map(({ from, to, location }) => `gap from ${time(from)} to ${time(to)} ${location ?? ''}`),
  ]
}

function seedsToRun(): number[] {
  if (values.seed !== undefined) return [Number(values.seed)]
  const count = Number(values.seeds)
  const { from } = values
  if (from !== undefined) return Array.from({ length: count }, (_, at) => Number(from) + at)
  return Array.from({ length: count }, () => Math.floor(Math.random() * 2 ** 31))
}

// Changes rules that must not be wrong, one at a time, and counts how many of the changes the tests beside them notice.
// Texts for people are not changed. Prints a line for each subject, lists what went unnoticed in
// artifacts/mutation.txt, and fails when a score is below its minimum. Usage: node scripts/mutation.mjs [subject ...]
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stryker = join(root, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js')
const report = join(root, 'artifacts', 'mutation.json')
const list = join(root, 'artifacts', 'mutation.txt')

/** The minimums are some points below what was measured. A lower score means new rules without tests. */
const subjects = {
  'due times': {
    floor: 93,
    files: ['packages/wire/src/due.ts'],
    tests: ['packages/wire/src/due.test.ts'],
  },
  verdict: {
    floor: 88,
    files: ['packages/checks/src/core/verdict.ts'],
    tests: ['packages/checks/src/core/verdict.test.ts'],
  },
  'state machine': {
    floor: 88,
    files: ['next-state', 'transition', 'parallel-run'].map((name) => `packages/server/src/alerting/state/${name}.ts`),
    tests: ['next-state*', 'parallel-run', 'outdated-result', 'held-alerts', 'watch'].map(
      (name) => `packages/server/src/alerting/state/${name}.test.ts`,
    ),
  },
  'egress guard': {
    floor: 88,
    files: ['address', 'egress', 'own-targets'].map((name) => `packages/checks/src/net/egress/${name}.ts`),
    tests: ['address', 'egress', 'egress-attempt', 'own-network'].map(
      (name) => `packages/checks/src/net/egress/${name}.test.ts`,
    ),
  },
}

const wanted = process.argv.slice(2)
const chosen = Object.entries(subjects).filter(([name]) => wanted.length === 0 || wanted.includes(name))
if (chosen.length === 0) {
  console.error(`No such subject: ${wanted.join(', ')}. There are: ${Object.keys(subjects).join(', ')}.`)
  process.exit(2)
}

mkdirSync(join(root, 'artifacts'), { recursive: true })
let unnoticed = ''
let isLow = false
for (const [name, { files, tests, floor }] of chosen) {
  const startedAt = Date.now()
  const mutants = mutate(files, tests)
  const missed = mutants.filter(isMissed)
  const noticed = mutants.length - missed.length
  const score = mutants.length === 0 ? 0 : (100 * noticed) / mutants.length
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  console.log(
    `mutation score of ${name}: ${score.toFixed(1)} (${noticed} of ${mutants.length}, floor ${floor}, ${seconds} s)`,
  )
  unnoticed += missed.map(line).join('')
  isLow ||= score < floor
}
writeFileSync(list, unnoticed)
console.log('What went unnoticed is listed in artifacts/mutation.txt')
if (isLow) console.log('A score is under its floor: add tests for what went unnoticed.')
process.exit(isLow ? 1 : 0)

function mutate(files, tests) {
  rmSync(report, { force: true })
  const { status } = spawnSync(process.execPath, [stryker, 'run', '--mutate', files.join(',')], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, VEDETTE_MUTATION_TESTS: tests.join(',') },
  })
  if (status !== 0) process.exit(status ?? 1)
  const mutated = JSON.parse(readFileSync(report, 'utf8')).files
  return files
    .flatMap((path) => mutated[path]?.mutants.map((mutant) => ({ ...mutant, path })) ?? [])
    .filter(({ status }) => status !== 'Ignored' && status !== 'CompileError')
}

/** A change with which the module cannot be loaded runs no test, but it counts as noticed. */
function isMissed({ status, static: isStatic, testsCompleted }) {
  return status === 'NoCoverage' || (status === 'Survived' && !(isStatic && testsCompleted === 0))
}

function line({ path, location: { start }, mutatorName, replacement, status }) {
  const text = String(replacement ?? '').replaceAll(/\s+/g, ' ')
  return `${path}:${start.line}:${start.column} ${mutatorName}${status === 'NoCoverage' ? ' (never run)' : ''}: ${text}\n`
}

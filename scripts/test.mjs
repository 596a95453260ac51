// Runs the test lanes one after another, says which cannot run here and why, and prints the sum of all of them. With
// CI=true no lane may be skipped. Usage: node scripts/test.mjs [lane ...]
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium } from './find-chromium.mjs'
import { findPostgres } from './find-postgres.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const vitest = [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run']

const lanes = {
  unit: { missing: () => undefined, command: [...vitest], env: {} },
  slow: { missing: () => undefined, command: [...vitest], env: { VEDETTE_LANE: 'slow' } },
  postgresql: {
    missing: () =>
      findPostgres() ? undefined : 'no PostgreSQL server programs found (Debian: apt-get install postgresql)',
    command: [join(root, 'scripts', 'with-postgres.mjs'), process.execPath, ...vitest, 'packages/server'],
    env: {},
  },
  stories: {
    missing: () =>
      findChromium()
        ? undefined
        : 'no Chromium found (Debian: apt-get install chromium; others: npx playwright install chromium)',
    command: [...vitest],
    env: { VEDETTE_LANE: 'stories' },
  },
}

const wanted = process.argv.slice(2)
const sum = { passed: 0, failed: 0, skipped: 0 }
const leftOut = []
const failures = []
mkdirSync(join(root, 'artifacts'), { recursive: true })

for (const [name, lane] of Object.entries(lanes)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const missing = lane.missing()
  if (missing === undefined) runLane(name, lane)
  else leftOut.push(`${name}: ${missing}`)
}

for (const line of leftOut) console.log(`not run: ${line}`)
for (const line of failures) console.log(`failed: ${line}`)
const broken = process.env.CI === 'true' && (leftOut.length > 0 || sum.skipped > 0)
if (broken) console.log('With CI=true every test must run.')
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`)
process.exit(sum.failed > 0 || broken ? 1 : 0)

function runLane(name, lane) {
  console.log(`\n== ${name} ==`)
  const report = join(root, 'artifacts', `test-${name}.json`)
  rmSync(report, { force: true })
  const shown = ['--reporter=default', `--reporter=${join(root, 'scripts', 'slowest-files.ts')}`]
  const reporters = [...shown, '--reporter=json', `--outputFile.json=${report}`]
  const { status } = spawnSync(process.execPath, [...lane.command, ...reporters], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...lane.env },
  })
  const none = { numPassedTests: 0, numPendingTests: 0, numTodoTests: 0, numFailedTests: 0 }
  const figures = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : none
  sum.passed += figures.numPassedTests
  sum.skipped += figures.numPendingTests + figures.numTodoTests
  failures.push(...failuresOf(name, status, figures))
  // A file that cannot be loaded, or an error outside a test, fails the lane without counting as a failed test.
  sum.failed += status === 0 ? 0 : Math.max(1, figures.numFailedTests)
}

// The lanes print tens of thousands of lines, so what failed is said once more at the end.
function failuresOf(lane, status, { testResults = [] }) {
  const lines = testResults.flatMap((file) => {
    const shown = `${lane}, ${relative(root, file.name)}`
    const tests = file.assertionResults.filter((test) => test.status === 'failed')
    if (tests.length === 0) return file.status === 'failed' ? [`${shown}\n${file.message}`] : []
    return tests.map((test) => `${shown}: ${test.fullName}\n${withoutLibraries(test.failureMessages.join('\n'))}`)
  })
  return lines.length > 0 || status === 0
    ? lines
    : [`${lane}: an error outside a test, or the run itself (exit ${status})`]
}

function withoutLibraries(message) {
  const lines = message.split('\n').filter((line) => !line.includes('node_modules'))
  return lines.slice(0, 40).join('\n')
}

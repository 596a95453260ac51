// The fast lane, whole or in part.
// Usage: node scripts/test-fast.mjs [package ...] [--changed[=since]] [file or option of Vitest ...]
// `--changed` runs the tests of what differs from `main`, committed or not; `--changed=HEAD` of what is not committed.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { at, fail } from './step.mjs'

const packages = readdirSync(at('packages'))
const vitest = [at('node_modules', 'vitest', 'vitest.mjs'), 'run']
const reporters = ['--reporter=default', `--reporter=${at('scripts', 'slowest-files.ts')}`]
const { status } = spawnSync(process.execPath, [...vitest, ...reporters, ...process.argv.slice(2).map(argument)], {
  cwd: at(),
  stdio: 'inherit',
})
process.exit(status ?? 1)

function argument(word) {
  if (word === '--changed') return `--changed=${knows('main') ? 'main' : 'HEAD'}`
  if (packages.includes(word)) return `packages/${word}/`
  if (!word.startsWith('-') && word !== 'scripts' && !word.includes('/') && !existsSync(at(word))) {
    fail(`There is no package or file "${word}". Packages: ${packages.join(', ')}; or give part of a path with a "/".`)
  }
  return word
}

function knows(branch) {
  return spawnSync('git', ['rev-parse', '--verify', '--quiet', branch], { cwd: at(), stdio: 'ignore' }).status === 0
}

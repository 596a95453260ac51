// Checks the code by the rules beside this file. Prints each violation with what to do instead.
import { fileURLToPath } from 'node:url'
import { checkBoundaries } from './check-boundaries.ts'
import { readEntries, readSources } from './read-repository.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const sources = readSources(root)
const { violations, stale } = checkBoundaries(sources, readEntries(root))
for (const { file, line, rule, message } of [...violations, ...stale]) {
  console.error(`${file}:${line}  ${rule}: ${message}`)
}
const count = violations.length + stale.length
console.log(`boundaries: ${sources.length} files, ${count === 0 ? 'all as the rules say' : `${count} violations`}`)
process.exitCode = count === 0 ? 0 : 1

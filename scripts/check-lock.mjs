// The lock file must be whole and portable: every optional platform package has its entry, no address is recorded.
import { readFileSync } from 'node:fs'

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
const names = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')))
const problems = []
for (const [path, entry] of Object.entries(packages)) {
  // A workspace package links to a folder of this repository; everything else must come without an address.
  if (entry.resolved !== undefined && entry.link !== true) problems.push(`${path} records where it was downloaded`)
  for (const name of Object.keys(entry.optionalDependencies ?? {})) {
    if (!names.has(name)) problems.push(`${path} misses its platform package ${name}`)
  }
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(`lock file: ${names.size} packages, whole`)

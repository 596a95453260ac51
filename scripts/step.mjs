// Steps of a build: each runs again only when what it depends on has changed. Node built-ins only.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
export const at = (...parts) => join(root, ...parts)

/** Runs `work` when what it depends on changed since it last succeeded. */
export function step(name, wanted, stampFile, work) {
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  const started = Date.now()
  work()
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, wanted)
  say(`${name} ready (${((Date.now() - started) / 1000).toFixed(1)} s)`)
}

export function hashOf(files, extra) {
  const hash = createHash('sha256').update(extra)
  for (const file of files.filter((name) => existsSync(name)))
    hash.update(file.slice(root.length)).update(readFileSync(file))
  return hash.digest('hex')
}

export function sourcesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((name) => statSync(name).isFile() && !name.includes('.test.'))
    .toSorted()
}

export function say(text) {
  process.stdout.write(`vedette: ${text}\n`)
}

export function fail(text) {
  process.stderr.write(`vedette: ${text}\n`)
  process.exit(1)
}

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('../', import.meta.url))
const imported = /from '([^']+)'|import '([^']+)'/g

/** Every module that a file needs, types included: packages by name, own files by path. */
function needs(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, from, bare] of readFileSync(file, 'utf8').matchAll(imported)) {
    const name = from ?? bare ?? ''
    if (name.startsWith('.')) needs(join(file, '..', name), seen)
    else seen.add(name)
  }
  return seen
}

const verbs = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('http'))
  .map((file) => join(source, file))
  .filter((file) => readFileSync(file, 'utf8').includes('VerbContext'))

test('verbs are found where they are expected', () => {
  const names = verbs.map((file) => relative(source, file))
  expect(names).toContain('resources/checks/verbs/create-check.ts')
  expect(names.length).toBeGreaterThan(9)
})

test.each(verbs.map((file) => [relative(source, file), file]))('%s knows no Fastify', (_, file) => {
  const packages = [...needs(file)].filter((name) => /^(@?fastify)/.test(name))
  expect(packages).toEqual([])
})

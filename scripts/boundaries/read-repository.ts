import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import type { SourceFile } from './read-source.ts'

const folders = ['src', 'test-support']
const tools = ['bench', 'e2e', 'examples', 'scripts']

const packagesOf = (root: string): string[] =>
  readdirSync(join(root, 'packages')).filter((name) => existsSync(join(root, 'packages', name, 'package.json')))

/** Every source file of every package, and of the tools around them. */
export function readSources(root: string): SourceFile[] {
  const inPackages = packagesOf(root).flatMap((name) => folders.map((folder) => join('packages', name, folder)))
  return [...inPackages, ...tools]
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
    .filter((file) => /(?<!\.d)\.[cm]?[jt]sx?$/.test(file) && !file.includes('node_modules'))
    .toSorted()
    .map((file) => ({ path: relative(root, file).replaceAll(sep, '/'), text: readFileSync(file, 'utf8') }))
}

/** The entries that our packages export, with their files. */
export function readEntries(root: string): Map<string, string> {
  const entries = packagesOf(root).flatMap((name) => {
    const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as {
      name: string
      exports?: Record<string, Record<'vedette-source', string>>
    }
    return Object.entries(manifest.exports ?? {}).map(([entry, conditions]): [string, string] => [
      posix.join(manifest.name, entry),
      posix.join('packages', name, conditions['vedette-source']),
    ])
  })
  return new Map(entries)
}

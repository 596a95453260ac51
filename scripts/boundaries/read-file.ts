import { readSource, type SourceFacts, type SourceFile } from './read-source.ts'
import { packageOf, resolveModule, type PackageEntries, type Target } from './resolve-module.ts'
import { testSupport } from './rules.ts'
import type { ModuleUse } from './module-uses.ts'

/** `tool`: outside of the packages. */
export type Role = 'production' | 'test' | 'test support' | 'tool'

export interface Import {
  line: number
  use: ModuleUse
  /** What was written, for messages. */
  specifier: string
  target: Target
}

/** A file with its imports resolved. */
export interface ReadFile extends SourceFacts {
  package: string
  role: Role
  imports: Import[]
  /** Lines of imports that are known only at run time. */
  computedImports: number[]
}

export interface Violation {
  file: string
  line: number
  rule: string
  message: string
}

export const violation = (file: ReadFile, line: number, rule: string, message: string): Violation => ({
  file: file.path,
  line,
  rule,
  message,
})

export function readFile(source: SourceFile, entries: PackageEntries): ReadFile {
  const facts = readSource(source)
  const imports: Import[] = []
  const computedImports: number[] = []
  for (const { line, what } of facts.modules) {
    const { specifier } = what
    if (specifier === undefined) computedImports.push(line)
    else imports.push({ line, use: what, specifier, target: resolveModule(source.path, specifier, entries) })
  }
  return { ...facts, package: packageOf(source.path) ?? '', role: roleOf(source.path), imports, computedImports }
}

export function roleOf(path: string): Role {
  if (packageOf(path) === undefined) return 'tool'
  if (testSupport.tests.test(path)) return 'test'
  return testSupport.paths.test(path) ? 'test support' : 'production'
}

/** The file that an import of ours leads to. */
export const fileOf = ({ target }: Import): string | undefined =>
  target.kind === 'file' || target.kind === 'package' ? target.path : undefined

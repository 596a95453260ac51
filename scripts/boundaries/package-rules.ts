import { fileOf, roleOf, violation, type Import, type ReadFile, type Violation } from './read-file.ts'
import { isModule, packageOf } from './resolve-module.ts'
import { packages, testSupport } from './rules.ts'

/** Which packages a package may import, ours and others; ours only through their `exports`. */
export function packageDirections(file: ReadFile): Violation[] {
  if (file.role === 'tool') return []
  const rule = packages[file.package]
  if (!rule) {
    return [violation(file, 1, 'package', `Package ${file.package} is not listed: add it to \`packages\` in rules.ts.`)]
  }
  return file.imports.flatMap((each) => {
    const problem = refusal(file, each, rule)
    return problem === undefined ? [] : [violation(file, each.line, 'package', problem)]
  })
}

function refusal(file: ReadFile, each: Import, rule: (typeof packages)[string]): string | undefined {
  const { target } = each
  if (target.kind === 'package') return refusedEntry(file, each, rule)
  if (target.kind === 'file') return leavesPackage(file, target.path) ? leaving(each.specifier) : undefined
  if (target.kind === 'npm') {
    const refused = rule.refuses.some((name) => isModule(target.name, name))
    return refused ? `${target.name} is refused here. ${rule.because}` : undefined
  }
  const isRefused = file.role === 'production' && rule.node !== 'all' && !rule.node.includes(target.name)
  return isRefused ? `${target.name} is refused here. ${rule.because}` : undefined
}

function refusedEntry(file: ReadFile, { specifier, target }: Import, rule: (typeof packages)[string]) {
  if (target.kind !== 'package' || target.package === file.package) {
    return `Inside its own package a file is imported by its path, not as ${specifier}.`
  }
  if (rule.mayImport.includes(specifier)) return undefined
  if (rule.mayImport.some((entry) => isModule(specifier, entry)) && target.path === undefined) {
    return `${specifier} goes past the exports of its package. Export there what others may use.`
  }
  return `${specifier} is refused here. ${rule.because}`
}

const leaving = (specifier: string): string =>
  `${specifier} leaves the package. Import an entry of the other package by its name, or move the shared thing there.`

/** Tests of one package may use the test support of another. */
function leavesPackage(file: ReadFile, path: string): boolean {
  if (packageOf(path) === file.package) return false
  return file.role === 'production' || roleOf(path) !== 'test support'
}

/** Production code imports nothing that is meant for tests. */
export function productionOnly(file: ReadFile): Violation[] {
  if (file.role !== 'production') return []
  return file.imports
    .filter((each) => isForTests(each))
    .map(({ line, specifier }) =>
      violation(
        file,
        line,
        'test-support',
        `${specifier} is there for tests. Move what production needs out of it, or the import into a *.test.ts file.`,
      ),
    )
}

function isForTests(each: Import): boolean {
  const path = fileOf(each)
  if (path !== undefined) return roleOf(path) !== 'production'
  const { target } = each
  return target.kind === 'npm' && testSupport.modules.some((name) => isModule(target.name, name))
}

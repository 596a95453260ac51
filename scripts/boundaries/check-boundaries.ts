import { noCodeFromText, noComputedImports, networkInFewFiles, sqlInStores } from './code-rules.ts'
import { staleExceptions, usedExceptions, type UsedExceptions } from './exceptions.ts'
import { closedDoors, folderDirections } from './folder-rules.ts'
import { noCycles, purity } from './graph-rules.ts'
import { packageDirections, productionOnly } from './package-rules.ts'
import { readFile, violation, type ReadFile, type Violation } from './read-file.ts'
import type { SourceFile } from './read-source.ts'
import type { PackageEntries } from './resolve-module.ts'

const fileRules: readonly ((file: ReadFile, used: UsedExceptions) => Violation[])[] = [
  packageDirections,
  productionOnly,
  folderDirections,
  closedDoors,
  sqlInStores,
  networkInFewFiles,
  noCodeFromText,
  noComputedImports,
]

/** Applies the rules for single files and for all files together. */
export function checkBoundaries(sources: readonly SourceFile[], entries: PackageEntries) {
  const files = new Map(sources.map((source) => [source.path, readFile(source, entries)]))
  const used = usedExceptions()
  const single = [...files.values()].flatMap((file) => [
    ...file.problems.map(({ line, what }) => violation(file, line, 'syntax', what)),
    ...fileRules.flatMap((rule) => rule(file, used)),
  ])
  return {
    violations: [...single, ...noCycles(files), ...purity(files)],
    /** Only meaningful when all files were given. */
    stale: staleExceptions(used),
  }
}

import { posix } from 'node:path'
import { isBuiltin } from 'node:module'

/** Where an import leads. */
export type Target =
  /** A file of ours, named by its path. Whether it exists is for the compiler to say. */
  | { kind: 'file'; path: string }
  /** Another package of ours; `path` is undefined when its `exports` do not name the entry. */
  | { kind: 'package'; specifier: string; package: string; path: string | undefined }
  | { kind: 'node'; name: string }
  | { kind: 'npm'; name: string }

/** Files of every entry of our packages, by the name they are imported with: `@vedette/wire/ids`. */
export type PackageEntries = ReadonlyMap<string, string>

/** The package of a path below `packages/`. */
export const packageOf = (path: string): string | undefined => /^packages\/([^/]+)\//.exec(path)?.[1]

export function resolveModule(from: string, specifier: string, entries: PackageEntries): Target {
  const bare = specifier.replace(/[?#].*$/, '')
  if (/^\.{1,2}(\/|$)/.test(bare)) {
    return { kind: 'file', path: asSource(posix.join(posix.dirname(from), bare)) }
  }
  const own = /^@vedette\/([^/]+)/.exec(bare)?.[1]
  if (own !== undefined) return { kind: 'package', specifier: bare, package: own, path: entries.get(bare) }
  if (isBuiltin(bare)) return { kind: 'node', name: bare.startsWith('node:') ? bare : `node:${bare}` }
  return { kind: 'npm', name: bare }
}

const asSource = (path: string): string => path.replace(/\.js(x?)$/, '.ts$1')

/** True for the module itself and for its subpaths: `node:dns` has `node:dns/promises`. */
export const isModule = (name: string, module: string): boolean => name === module || name.startsWith(`${module}/`)

/** True for a file that a path of the rules names, itself or by a folder. */
export const isIn = (path: string, named: string): boolean =>
  named.endsWith('/') ? path.startsWith(named) : path === named

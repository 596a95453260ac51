import type { UsedExceptions } from './exceptions.ts'
import { violation, type Import, type ReadFile, type Violation } from './read-file.ts'
import { isIn, isModule } from './resolve-module.ts'
import { codeFromText, computedImports, network, sql } from './rules.ts'

/** SQL is only in stores. In the package that knows SQL, calls of `query` count too, whatever their text. */
export function sqlInStores(file: ReadFile, used: UsedExceptions): Violation[] {
  if (file.role !== 'production' || file.sql.length === 0) return []
  const knowsSql = file.package === sql.package
  const found = knowsSql ? file.sql : file.sql.filter(({ what }) => what === 'text')
  if (found.length === 0 || (knowsSql && sql.stores.test(file.path))) return []
  const excepted = knowsSql ? sql.exceptions.find(({ path }) => path === file.path) : undefined
  if (excepted) return used.note(excepted) && []
  return [...new Set(found.map(({ line }) => line))].map((line) =>
    violation(
      file,
      line,
      'sql',
      `SQL stands in ${sql.package}, in a store.ts or *-store.ts: move the statement there.`,
    ),
  )
}

/** Only a few files open connections. */
export function networkInFewFiles(file: ReadFile, used: UsedExceptions): Violation[] {
  if (file.role !== 'production') return []
  const uses = [
    ...file.imports.filter(opensSockets).map((each) => ({ line: each.line, what: moduleName(each) })),
    ...file.globals.filter(({ what }) => network.globals.includes(what)).map(({ line, what }) => ({ line, what })),
  ]
  return uses.flatMap(({ line, what }) => {
    const excepted = network.exceptions.find((each) => isIn(file.path, each.path) && each.uses.includes(what))
    if (excepted && used.note(excepted, what)) return []
    return [violation(file, line, 'network', refusedUse(what))]
  })
}

const refusedUse = (what: string): string =>
  `${what} opens connections. What leaves for a target goes through @vedette/checks/net, the web app's own calls through ` +
  'api/client.ts; a new listener is named in `network` of scripts/boundaries/rules.ts, with its reason.'

const moduleName = ({ target }: Import): string => (target.kind === 'node' || target.kind === 'npm' ? target.name : '')

function opensSockets(each: Import): boolean {
  const name = moduleName(each)
  if (name === '' || each.use.kind === 'type') return false
  if (!network.modules.some((module) => isModule(name, module))) return false
  return !each.use.names?.every((taken) => network.harmless.includes(taken))
}

/** No text is run as code, not even in tests. */
export function noCodeFromText(file: ReadFile): Violation[] {
  const refused = 'runs text as code. Code of users never runs in a Vedette process; what is ours stands in a file.'
  const modules = file.imports.filter((each) =>
    codeFromText.modules.some((module) => isModule(moduleName(each), module)),
  )
  const globals = file.globals.filter(({ what }) => codeFromText.globals.includes(what))
  const texts = file.imports.filter(({ specifier }) => specifier.startsWith('data:'))
  return [
    ...modules.map((each) => ({ line: each.line, what: moduleName(each) })),
    ...globals,
    ...texts.map(({ line }) => ({ line, what: 'An import of a data: address' })),
  ].map(({ line, what }) => violation(file, line, 'code-from-text', `${what} ${refused}`))
}

/** An import that is known only at run time escapes every other rule. */
export function noComputedImports(file: ReadFile, used: UsedExceptions): Violation[] {
  if (file.role !== 'production' || file.computedImports.length === 0) return []
  const excepted = computedImports.find(({ path }) => path === file.path)
  if (excepted) return used.note(excepted) && []
  return file.computedImports.map((line) =>
    violation(file, line, 'computed-import', 'Import a module by a fixed name, or choose among several fixed ones.'),
  )
}

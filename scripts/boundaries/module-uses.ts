import { argumentsOf, asNode, memberOf, nameOf, textOf, unwrapped, type SyntaxNode } from './syntax-node.ts'

/** A module that a file uses, in whatever way it is written. */
export interface ModuleUse {
  /** Undefined when it is known only at run time. */
  specifier: string | undefined
  /** `thread`: the entry of a worker or a process, so nothing is shared at run time. */
  kind: 'value' | 'type' | 'thread'
  /** What is taken of it by name; undefined when it may be everything. */
  names: readonly string[] | undefined
}

const whole = (source: unknown, kind: ModuleUse['kind'] = 'value'): ModuleUse => ({
  specifier: textOf(source),
  kind,
  names: undefined,
})

type Reader = (node: SyntaxNode, requires: Set<string>) => ModuleUse | undefined

const readers: Record<string, Reader> = {
  ImportDeclaration: (node) => named(node, 'importKind', 'imported'),
  ExportNamedDeclaration: (node) => (node['source'] ? named(node, 'exportKind', 'local') : undefined),
  ExportAllDeclaration: (node) => whole(node['source'], node['exportKind'] === 'type' ? 'type' : 'value'),
  ImportExpression: (node) => whole(node['source']),
  TSImportType: (node) => whole(node['source'], 'type'),
  TSExternalModuleReference: (node) => whole(node['expression']),
  CallExpression: (node, requires) => (loadsModule(node['callee'], requires) ? whole(argumentsOf(node)[0]) : undefined),
  NewExpression: threadEntry,
}

/** The modules that this one node uses. `requires` gathers names that were made with `createRequire`. */
export function importsOf(node: SyntaxNode, requires: Set<string>): ModuleUse[] {
  if (node.type === 'VariableDeclarator' && isCreateRequire(unwrapped(node['init']))) {
    const name = nameOf(node['id'])
    if (name !== undefined) requires.add(name)
  }
  const use = readers[node.type]?.(node, requires)
  return use ? [use] : []
}

function named(node: SyntaxNode, kindKey: string, nameKey: string): ModuleUse {
  const specifiers = node['specifiers'] as SyntaxNode[]
  const values = specifiers.filter((each) => each[kindKey] !== 'type')
  const isType = node[kindKey] === 'type' || (specifiers.length > 0 && values.length === 0)
  const names = values.map((each) => asNode(each[nameKey])?.['name'] ?? '*')
  return {
    specifier: textOf(node['source']),
    kind: isType ? 'type' : 'value',
    names: specifiers.length === 0 ? undefined : names.map(String),
  }
}

/** `require`, what `createRequire` made, and `process.getBuiltinModule`. */
function loadsModule(callee: unknown, requires: Set<string>): boolean {
  const node = unwrapped(callee)
  const name = nameOf(node)
  if (name !== undefined) return requires.has(name)
  const member = memberOf(node)?.name
  return isCreateRequire(node) || member === 'getBuiltinModule' || member === 'require'
}

function isCreateRequire(node: SyntaxNode | undefined): boolean {
  if (node?.type !== 'CallExpression') return false
  return (nameOf(node['callee']) ?? memberOf(node['callee'])?.name) === 'createRequire'
}

/** `new URL('./worker.ts', import.meta.url)` */
function threadEntry(node: SyntaxNode): ModuleUse | undefined {
  const [file, base] = argumentsOf(node)
  const specifier = textOf(file)
  const isEntry =
    nameOf(node['callee']) === 'URL' && specifier !== undefined && /^\.{1,2}\/.*\.[cm]?[jt]sx?$/.test(specifier)
  const isHere = unwrapped(memberOf(base)?.object)?.type === 'MetaProperty'
  return isEntry && isHere ? { specifier, kind: 'thread', names: undefined } : undefined
}

import { parseSync, visitorKeys } from 'oxc-parser'
import { importsOf, type ModuleUse } from './module-uses.ts'
import { asNode, type SyntaxNode } from './syntax-node.ts'
import { globalsOf, isSql, isQueryCall } from './watched-uses.ts'

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  path: string
  text: string
}

interface Found<T> {
  line: number
  what: T
}

/** What the rules need to know of a file. */
export interface SourceFacts {
  path: string
  modules: Found<ModuleUse>[]
  /** Globals that open connections or run text as code, by name. */
  globals: Found<string>[]
  sql: Found<'text' | 'query'>[]
  /** Syntax errors. */
  problems: Found<string>[]
}

/** Parses a file and collects everything that a rule looks at. Types count as imports, but use no globals. */
export function readSource({ path, text }: SourceFile): SourceFacts {
  const parsed = parseSync(path, text)
  const facts: SourceFacts = { path, modules: [], globals: [], sql: [], problems: [] }
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length
  for (const { message, labels } of parsed.errors) {
    facts.problems.push({ line: lineOf(labels[0]?.start ?? 0), what: message })
  }
  const requires = new Set(['require'])
  const visit = (node: SyntaxNode, parent: SyntaxNode | undefined, inType: boolean): void => {
    for (const what of importsOf(node, requires)) facts.modules.push({ line: lineOf(node.start), what })
    if (!inType) {
      for (const what of globalsOf(node, parent)) facts.globals.push({ line: lineOf(node.start), what })
      if (isSql(node)) facts.sql.push({ line: lineOf(node.start), what: 'text' })
      if (isQueryCall(node)) facts.sql.push({ line: lineOf(node.start), what: 'query' })
    }
    const within = inType || isTypeOnly(node)
    forEachChild(node, (child) => visit(child, node, within))
  }
  visit(asNode(parsed.program) as SyntaxNode, undefined, false)
  return facts
}

function forEachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void {
  for (const key of visitorKeys[node.type] ?? []) {
    const value = node[key]
    if (Array.isArray(value)) for (const each of value) visitNode(each, visit)
    else visitNode(value, visit)
  }
}

function visitNode(value: unknown, visit: (child: SyntaxNode) => void): void {
  const node = asNode(value)
  if (node) visit(node)
}

const runtimeNodes = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
])

const isTypeOnly = ({ type }: SyntaxNode): boolean => type.startsWith('TS') && !runtimeNodes.has(type)

import { codeFromText, network } from './rules.ts'
import { argumentsOf, asNode, memberOf, nameOf, templateText, unwrapped, type SyntaxNode } from './syntax-node.ts'

const watched = new Set([...network.globals, ...codeFromText.globals])
const globalObjects = new Set(['globalThis', 'window', 'self', 'global', 'navigator'])

/** The watched globals that this one node uses, under whatever object they are reached. */
export function globalsOf(node: SyntaxNode, parent: SyntaxNode | undefined): string[] {
  if (node.type === 'Identifier') return isName(node, parent) ? [] : known(node['name'] as string)
  if (node.type === 'MemberExpression') {
    const member = memberOf(node)
    return member && isGlobalObject(member.object) ? known(member.name) : []
  }
  if (node.type === 'VariableDeclarator' && isGlobalObject(node['init'])) return takenFrom(asNode(node['id']))
  return node.type === 'NewExpression' && runsText(node) ? ['eval'] : []
}

const known = (name: string): string[] => (watched.has(name) ? [name] : [])

/** `window` itself, or `globalThis.window`. */
function isGlobalObject(value: unknown): boolean {
  const name = nameOf(value) ?? memberOf(value)?.name
  return name !== undefined && globalObjects.has(name)
}

/** The identifier only names a member, a property or something imported; it reads no variable. */
function isName(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  switch (parent?.type) {
    case 'MemberExpression':
      return parent['property'] === node && parent['computed'] !== true
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return parent['key'] === node && parent['computed'] !== true && parent['shorthand'] !== true
    case 'ImportSpecifier':
    case 'ExportSpecifier':
      return true
    default:
      return false
  }
}

/** `const { fetch: load } = globalThis` */
function takenFrom(pattern: SyntaxNode | undefined): string[] {
  if (pattern?.type !== 'ObjectPattern') return []
  const properties = pattern['properties'] as SyntaxNode[]
  return properties.filter((each) => each['shorthand'] !== true).flatMap((each) => known(nameOf(each['key']) ?? ''))
}

/** `new Worker(text, { eval: true })` */
function runsText(node: SyntaxNode): boolean {
  if (nameOf(node['callee']) !== 'Worker') return false
  const options = unwrapped(argumentsOf(node)[1])
  const properties = (options?.['properties'] as SyntaxNode[] | undefined) ?? []
  return properties.some((each) => nameOf(each['key']) === 'eval')
}

const statement =
  /^\s*(select\s[\s\S]*\sfrom\s|insert\s+into\s|update\s+[\w."?]+\s+(\w+\s+)?set\s|delete\s+from\s|with\s+(recursive\s+)?\w+\s*(\([^)]*\))?\s+as\s+(not\s+)?(materialized\s*)?\(|(create|alter|drop)\s+(unlogged\s+|unique\s+)?(table|index|type|view|sequence|schema|function|database)\s|truncate\s+(table\s+)?\w+\s*(,|;|cascade|restart|\$|$)|lock\s+table\s|set\s+local\s|copy\s+\w+\s+(from|to)\s)/i
/** A sentence starts with one capital letter, a statement has none or all. */
const oneCase = /^\s*([a-z]+|[A-Z]+)\b/
/** Statements that could also be prose count as SQL only in capitals. */
const inCapitals = /^\s*(SELECT\s+\S|(VACUUM|ANALYZE|LISTEN|NOTIFY|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|CHECKPOINT)(\s|;|$))/

/** A string or template that is a statement of SQL. */
export function isSql(node: SyntaxNode): boolean {
  const text =
    node.type === 'TemplateLiteral' ? templateText(node) : node.type === 'Literal' ? node['value'] : undefined
  return typeof text === 'string' && ((oneCase.test(text) && statement.test(text)) || inCapitals.test(text))
}

/** A call of a method `query`, as connections and pools have it. */
export const isQueryCall = (node: SyntaxNode): boolean =>
  node.type === 'CallExpression' && argumentsOf(node).length > 0 && memberOf(node['callee'])?.name === 'query'

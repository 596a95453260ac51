/** A node of the syntax tree, as far as the rules look into it. */
export interface SyntaxNode {
  type: string
  start: number
  [key: string]: unknown
}

export const asNode = (value: unknown): SyntaxNode | undefined =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string'
    ? (value as SyntaxNode)
    : undefined

const wrappers = new Set([
  'ParenthesizedExpression',
  'ChainExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
])

/** The expression inside brackets and casts. */
export function unwrapped(value: unknown): SyntaxNode | undefined {
  const node = asNode(value)
  return node && wrappers.has(node.type) ? unwrapped(node['expression']) : node
}

/** The name of an identifier. */
export const nameOf = (value: unknown): string | undefined => {
  const node = unwrapped(value)
  return node?.type === 'Identifier' ? (node['name'] as string) : undefined
}

/** The text of a string whose value is known, also of a template without insertions. */
export function textOf(value: unknown): string | undefined {
  const node = unwrapped(value)
  if (node?.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  if (node?.type !== 'TemplateLiteral' || (node['expressions'] as unknown[]).length > 0) return undefined
  return templateText(node)
}

/** The fixed parts of a template; `?` stands for each insertion. */
export const templateText = (node: SyntaxNode): string =>
  (node['quasis'] as { value: { raw: string } }[]).map(({ value }) => value.raw).join('?')

/** The name of a member, written with a dot or as a string in brackets. */
export function memberOf(value: unknown): { object: unknown; name: string } | undefined {
  const node = unwrapped(value)
  if (node?.type !== 'MemberExpression') return undefined
  const name = node['computed'] === true ? textOf(node['property']) : nameOf(node['property'])
  return name === undefined ? undefined : { object: node['object'], name }
}

export const argumentsOf = (node: SyntaxNode): unknown[] => (node['arguments'] as unknown[] | undefined) ?? []

import { helperNamed, type Helpers, type TemplateDialect } from './dialect.ts'
import type { Call, Expression, PathExpression, Program, Statement } from './template-ast.ts'
import { simpleName } from './validate-template.ts'

interface Place {
  helpers: Helpers
  /** How many blocks around it change what names start from. */
  depth: number
  /** Names given by `as |x|`, which hide helpers. */
  locals: ReadonlySet<string>
  found: Set<string>
}

/**
 * The names that a template reads of what it is filled with, once each. Names within a block that goes through a value
 * belong to that value and are left out. Throws `TemplateProblem`.
 */
export function namesOfTemplate(dialect: TemplateDialect, text: string): string[] {
  const found = new Set<string>()
  inProgram(dialect.read(text), { helpers: dialect.helpers, depth: 0, locals: new Set(), found })
  return [...found]
}

function inProgram(program: Program | undefined, place: Place): void {
  for (const statement of program?.body ?? []) inStatement(statement, place)
}

function inStatement(statement: Statement, place: Place): void {
  if (statement.type === 'MustacheStatement') return inCall(statement, place)
  if (statement.type !== 'BlockStatement') return
  inCall(statement, place)
  const helper = helperOf(statement, place)
  const changesSubject = helper === undefined || helper.kind === 'block'
  const { program, inverse } = statement
  inProgram(program, changesSubject ? inside(program, place) : place)
  inProgram(inverse, place)
}

const inside = ({ blockParams = [] }: Program, place: Place): Place => ({
  ...place,
  depth: place.depth + 1,
  locals: new Set([...place.locals, ...blockParams]),
})

function inCall(call: Call, place: Place): void {
  if (helperOf(call, place) === undefined) inExpression(call.path, place)
  for (const given of [...call.params, ...(call.hash?.pairs ?? []).map(({ value }) => value)])
    inExpression(given, place)
}

function helperOf(call: Call, { helpers, locals }: Place) {
  const name = simpleName(call.path)
  if (name === undefined || (call.params.length === 0 && locals.has(name))) return undefined
  return helperNamed(helpers, name)
}

function inExpression(node: Expression, place: Place): void {
  if (node.type === 'SubExpression') return inCall(node, place)
  if (node.type === 'PathExpression') inPath(node, place)
}

function inPath({ parts, data, depth }: PathExpression, place: Place): void {
  const [head] = parts
  if (!data && typeof head === 'string' && depth === place.depth) place.found.add(head)
}

import { lineOf, parseTemplate } from './parse-template.ts'
import type { Call, Expression, Program, Statement } from './template-ast.ts'
import { TemplateProblem } from './template-problem.ts'
import { argumentProblem, wordNamed } from './words.ts'

type Form = 'inline' | 'block' | 'nested'

/** What is wrong with a template, as the end of a sentence that starts with its field; undefined when nothing is. */
export function templateProblem(text: string): string | undefined {
  try {
    checkProgram(parseTemplate(text))
    return undefined
  } catch (error) {
    if (error instanceof TemplateProblem) return error.message
    throw error
  }
}

/** Throws `TemplateProblem` when a template uses what does not exist or uses it wrongly. */
export function checkProgram(program: Program | undefined): void {
  for (const statement of program?.body ?? []) checkStatement(statement)
}

function checkStatement(statement: Statement): void {
  switch (statement.type) {
    case 'ContentStatement':
    case 'CommentStatement':
      return
    case 'MustacheStatement':
      return checkCall(statement, 'inline')
    case 'BlockStatement':
      checkCall(statement, 'block')
      checkProgram(statement.program)
      return checkProgram(statement.inverse)
    default:
      throw new TemplateProblem(`uses partials or decorators${lineOf(statement)}, which do not exist here`)
  }
}

/** Name of a path that may be a word: one part, no `this`, no `@`. */
export function simpleName(path: Expression): string | undefined {
  if (path.type !== 'PathExpression') return undefined
  const { parts, data, depth, original } = path
  const [first] = parts
  const plain = !data && depth === 0 && parts.length === 1 && !/^(?:this\b|\.)/.test(original)
  return plain && typeof first === 'string' ? first : undefined
}

function checkCall(call: Call, form: Form): void {
  const name = simpleName(call.path)
  const word = name === undefined ? undefined : wordNamed(name)
  const given = [...call.params, ...(call.hash?.pairs ?? []).map((pair) => pair.value)]
  if (word && name !== undefined) {
    const problem = argumentProblem(name, word, call.params.length) ?? misplaced(name, word.kind, form)
    if (problem !== undefined) throw new TemplateProblem(`is wrong${lineOf(call)}: ${problem}`)
  } else {
    const isValue = given.length === 0 && form !== 'nested'
    if (!isValue) throw new TemplateProblem(`uses the unknown helper "${nameOf(call.path)}"${lineOf(call)}`)
    checkExpression(call.path)
  }
  for (const expression of given) checkExpression(expression)
}

function misplaced(name: string, kind: string, form: Form): string | undefined {
  if (kind === 'block' && form !== 'block') return `"${name}" must be a block: {{#${name} …}} … {{/${name}}}`
  return kind === 'value' && form === 'block' ? `"${name}" is a value and cannot be a block` : undefined
}

function checkExpression(expression: Expression): void {
  if (expression.type === 'SubExpression') return checkCall(expression, 'nested')
  if (expression.type !== 'PathExpression') return
  for (const part of expression.parts) {
    if (typeof part !== 'string') checkExpression(part)
  }
}

const nameOf = (path: Expression): string =>
  path.type === 'PathExpression' ? path.original.slice(0, 100) : 'a nested helper'

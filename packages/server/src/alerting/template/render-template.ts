import { encoderFor, plainText, type Encoder, type Encoding } from './encode-value.ts'
import { createEvaluator, type Evaluator, type Scope } from './evaluate-expression.ts'
import { lineOf, parseTemplate } from './parse-template.ts'
import { TemplateProblem, templateLimits } from './template-problem.ts'
import type { BlockStatement, Program, Statement } from './template-ast.ts'
import { isTruthy } from './truth.ts'
import { checkProgram, simpleName } from './validate-template.ts'
import { wordNamed } from './words.ts'
import type { TemplateWorld } from './word.ts'

interface Rendering {
  pieces: string[]
  chars: number
  steps: number
  encoder: Encoder
  evaluate: Evaluator
}

/** Renders a template with values that are plain data. Throws `TemplateProblem`. Values are encoded for `encoding`. */
export function renderTemplate(
  text: string,
  values: Record<string, unknown>,
  encoding: Encoding,
  world: TemplateWorld,
): string {
  const program = parseTemplate(text)
  checkProgram(program)
  const rendering: Rendering = {
    pieces: [],
    chars: 0,
    steps: 0,
    encoder: encoderFor(encoding),
    evaluate: createEvaluator(world),
  }
  renderProgram(program, { self: values, data: {}, locals: {} }, rendering)
  return rendering.pieces.join('')
}

function write(text: string, rendering: Rendering): void {
  rendering.chars += text.length
  if (rendering.chars > templateLimits.outputChars) {
    throw new TemplateProblem(`rendered to more than ${templateLimits.outputChars} characters`)
  }
  rendering.encoder.passed(text)
  rendering.pieces.push(text)
}

function countStep(rendering: Rendering): void {
  rendering.steps += 1
  if (rendering.steps > templateLimits.steps) {
    throw new TemplateProblem(`took more than ${templateLimits.steps} steps to render`)
  }
}

function renderProgram(program: Program | undefined, scope: Scope, rendering: Rendering): void {
  for (const statement of program?.body ?? []) {
    countStep(rendering)
    renderStatement(statement, scope, rendering)
  }
}

function renderStatement(statement: Statement, scope: Scope, rendering: Rendering): void {
  switch (statement.type) {
    case 'ContentStatement':
      return write(statement.value, rendering)
    case 'CommentStatement':
      return undefined
    case 'MustacheStatement': {
      const value = rendering.evaluate(statement, scope)
      return write(statement.escaped ? rendering.encoder.encode(value) : plainText(value), rendering)
    }
    case 'BlockStatement':
      return renderBlock(statement, scope, rendering)
    default:
      throw new TemplateProblem(`uses partials or decorators${lineOf(statement)}, which do not exist here`)
  }
}

function renderBlock(block: BlockStatement, scope: Scope, rendering: Rendering): void {
  const name = simpleName(block.path)
  const word = name === undefined || Object.hasOwn(scope.locals, name) ? undefined : wordNamed(name)
  if (word?.kind !== 'block' || name === undefined) {
    const value = rendering.evaluate(block, scope)
    // A word decides for its block; a plain value becomes what the block is about.
    if (word) return renderProgram(isTruthy(value) ? block.program : block.inverse, scope, rendering)
    return Array.isArray(value)
      ? renderEach(block, value, scope, rendering)
      : renderWith(block, value, scope, rendering)
  }
  const [first] = block.params
  const subject = first && rendering.evaluate.expression(first, scope)
  return name === 'each' ? renderEach(block, subject, scope, rendering) : renderWith(block, subject, scope, rendering)
}

type Render = (block: BlockStatement, subject: unknown, scope: Scope, rendering: Rendering) => void

const renderWith: Render = (block, subject, scope, rendering) => {
  if (!isTruthy(subject)) return renderProgram(block.inverse, scope, rendering)
  // `{{#FLAG}}` on something without parts only decides; the variables around it stay in reach.
  if (typeof subject !== 'object') return renderProgram(block.program, scope, rendering)
  const [local] = block.program.blockParams ?? []
  renderProgram(block.program, scopeInside(scope, subject, local === undefined ? {} : { [local]: subject }), rendering)
}

const renderEach: Render = (block, subject, scope, rendering) => {
  const entries: [string | number, unknown][] = Array.isArray(subject)
    ? subject.map((value, index) => [index, value])
    : typeof subject === 'object' && subject !== null
      ? Object.entries(subject)
      : []
  if (entries.length === 0) return renderProgram(block.inverse, scope, rendering)
  const [valueName, keyName] = block.program.blockParams ?? []
  for (const [index, [key, value]] of entries.entries()) {
    countStep(rendering)
    const inside = scopeInside(scope, value, {
      ...(valueName !== undefined && { [valueName]: value }),
      ...(keyName !== undefined && { [keyName]: key }),
    })
    inside.data = { ...scope.data, index, key, first: index === 0, last: index === entries.length - 1 }
    renderProgram(block.program, inside, rendering)
  }
}

const scopeInside = (parent: Scope, self: unknown, locals: Record<string, unknown>): Scope => ({
  self,
  parent,
  data: parent.data,
  locals: { ...parent.locals, ...locals },
})

import type { TemplateDialect, TemplateRuntime } from './dialect.ts'
import { encoderFor, type EncodeText, type Encoder, type Encoding } from './encode-value.ts'
import { evaluateCall, evaluateExpression, helperOf, type Evaluation, type Scope } from './evaluate-expression.ts'
import { isTruthy, plainText } from './plain-data.ts'
import { lineOf, type BlockStatement, type Program, type Statement } from './template-ast.ts'
import { TemplateProblem } from './template-problem.ts'

interface Rendering extends Evaluation {
  pieces: string[]
  chars: number
  steps: number
  encoder: Encoder
}

/** What a template is filled with. Values are plain data. */
export interface TemplateInput {
  /** What paths start from. */
  values: Readonly<Record<string, unknown>>
  /** Names that hide helpers. */
  locals?: Readonly<Record<string, unknown>>
  encoding: Encoding | EncodeText
  runtime: TemplateRuntime
}

/** Renders a template. Throws `TemplateProblem`. Values are encoded for `encoding`. */
export function renderTemplate(dialect: TemplateDialect, text: string, input: TemplateInput): string {
  const { values, locals = {}, encoding, runtime } = input
  const rendering: Rendering = {
    pieces: [],
    chars: 0,
    steps: 0,
    encoder: encoderFor(encoding),
    dialect,
    runtime,
    calls: 0,
  }
  renderProgram(dialect.read(text), { self: values, data: {}, locals }, rendering)
  return rendering.pieces.join('')
}

function write(text: string, rendering: Rendering): void {
  rendering.chars += text.length
  const { outputChars } = rendering.dialect.limits
  if (rendering.chars > outputChars) {
    throw new TemplateProblem(`the template rendered to more than ${outputChars} characters`)
  }
  rendering.encoder.passed(text)
  rendering.pieces.push(text)
}

function countStep(rendering: Rendering): void {
  rendering.steps += 1
  const { steps } = rendering.dialect.limits
  if (rendering.steps > steps) throw new TemplateProblem(`the template took more than ${steps} steps to render`)
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
      const value = evaluateCall(statement, scope, rendering)
      return write(statement.escaped ? rendering.encoder.encode(value) : plainText(value), rendering)
    }
    case 'BlockStatement':
      return renderBlock(statement, scope, rendering)
    default:
      throw new TemplateProblem(`uses partials or decorators${lineOf(statement)}, which do not exist here`)
  }
}

function renderBlock(block: BlockStatement, scope: Scope, rendering: Rendering): void {
  const helper = helperOf(block, scope, rendering)
  if (helper?.kind !== 'block') {
    const value = evaluateCall(block, scope, rendering)
    // A helper decides which block is rendered; a plain value becomes the subject of the block.
    if (helper) return renderProgram(isTruthy(value) ? block.program : block.inverse, scope, rendering)
    return Array.isArray(value)
      ? renderEach(block, value, scope, rendering)
      : renderWith(block, value, scope, rendering)
  }
  const [first] = block.params
  const subject = first && evaluateExpression(first, scope, rendering)
  return helper.loops ? renderEach(block, subject, scope, rendering) : renderWith(block, subject, scope, rendering)
}

type Render = (block: BlockStatement, subject: unknown, scope: Scope, rendering: Rendering) => void

const renderWith: Render = (block, subject, scope, rendering) => {
  if (!isTruthy(subject)) return renderProgram(block.inverse, scope, rendering)
  // A subject without members only decides whether the block is rendered; the outer variables stay reachable.
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

const scopeInside = (parent: Scope, self: unknown, locals: Scope['locals']): Scope => ({
  self,
  parent,
  data: parent.data,
  locals: { ...parent.locals, ...locals },
})

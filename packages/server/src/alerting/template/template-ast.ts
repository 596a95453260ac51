import { parse } from '@handlebars/parser'

/** The parts of Handlebars' syntax tree that templates use here; the parser's package does not export its types. */
interface Placed {
  loc: { start: { line: number; column: number } }
}

export interface Program extends Placed {
  type: 'Program'
  body: Statement[]
  blockParams?: string[]
}

export type Statement =
  | (Placed & { type: 'ContentStatement'; value: string })
  | (Placed & { type: 'CommentStatement' })
  | MustacheStatement
  | BlockStatement
  | (Placed & { type: 'PartialStatement' | 'PartialBlockStatement' | 'Decorator' | 'DecoratorBlock' })

/** A head with arguments: of a tag, of a block, or in parentheses. */
export interface Call extends Placed {
  path: Expression
  params: Expression[]
  hash?: { pairs: { key: string; value: Expression }[] }
}
export interface MustacheStatement extends Call {
  type: 'MustacheStatement'
  escaped: boolean
}
export interface BlockStatement extends Call {
  type: 'BlockStatement'
  program: Program
  inverse?: Program
}

export type Expression =
  | SubExpression
  | PathExpression
  | (Placed & { type: 'StringLiteral'; value: string })
  | (Placed & { type: 'NumberLiteral'; value: number })
  | (Placed & { type: 'BooleanLiteral'; value: boolean })
  | (Placed & { type: 'UndefinedLiteral' | 'NullLiteral' })
export interface SubExpression extends Call {
  type: 'SubExpression'
}
export interface PathExpression extends Placed {
  type: 'PathExpression'
  /** Starts with `@`. */
  data: boolean
  /** Number of `../` before it. */
  depth: number
  parts: (string | SubExpression)[]
  original: string
}

export const parseText = (text: string): Program => {
  const program: unknown = parse(text)
  return program as Program
}

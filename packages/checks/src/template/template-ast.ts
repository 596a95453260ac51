/** The parts of Handlebars' syntax tree that templates use here; the parser's package does not export its types. */
interface Placed {
  loc?: { start: { line: number; column: number } }
}

export interface Program {
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
  /** The text between the braces. Only tags read by `readTags` have it. */
  source?: string
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

/** The line where a node starts, for messages. Empty when that is unknown. */
export const lineOf = ({ loc }: Placed): string => (loc === undefined ? '' : ` on line ${loc.start.line}`)

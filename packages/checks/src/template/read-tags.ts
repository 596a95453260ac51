import type { MustacheStatement, Program, Statement } from './template-ast.ts'

const tag = /\{\{\{\s*([A-Za-z_$][^{}]{0,500})\}\}\}|\{\{\s*([A-Za-z_$][^{}]{0,500})\}\}/g
const part = /"([^"]*)"|'([^']*)'|(\S+)/g

/**
 * Reads a text whose braces are mostly its own, such as JSON or GraphQL. Only `{{NAME …}}` and `{{{NAME …}}}` are tags,
 * their arguments are texts, with or without quotes, and nothing else of Handlebars has a meaning. Every text can be
 * read.
 */
export function readTags(text: string): Program {
  const body: Statement[] = []
  let end = 0
  const addContent = (value: string) => {
    if (value !== '') body.push({ type: 'ContentStatement', value })
  }
  for (const { 0: whole, 1: raw, 2: encoded, index } of text.matchAll(tag)) {
    addContent(text.slice(end, index))
    body.push(readTag(raw ?? encoded ?? '', raw === undefined))
    end = index + whole.length
  }
  addContent(text.slice(end))
  return { body }
}

function readTag(source: string, escaped: boolean): MustacheStatement {
  const [name = '', ...args] = [...source.matchAll(part)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
  return {
    type: 'MustacheStatement',
    escaped,
    source: source.trim(),
    path: { type: 'PathExpression', data: false, depth: 0, parts: [name], original: `[${name}]` },
    params: args.map((value) => ({ type: 'StringLiteral', value })),
  }
}

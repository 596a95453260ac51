import { parse } from '@handlebars/parser'
import type { Program } from './template-ast.ts'
import { TemplateProblem } from './template-problem.ts'

const limits = { textChars: 32_768, tags: 500, blocks: 100, parentheses: 100 }

/**
 * Parses a text that is Handlebars as a whole. Throws `TemplateProblem` for bad syntax and for texts too big or too
 * nested.
 */
export function parseTemplate(text: string): Program {
  refuseHostile(text)
  try {
    const program: unknown = parse(text)
    return program as Program
  } catch (error) {
    throw new TemplateProblem(describe(error))
  }
}

// The parser's time grows with the cube of the nesting, so nesting is bounded before it parses.
function refuseHostile(text: string): void {
  const { textChars, tags, blocks, parentheses } = limits
  if (text.length > textChars) throw new TemplateProblem(`must be at most ${textChars} characters, got ${text.length}`)
  const parts = text.split('{{').slice(1)
  if (parts.length > tags) throw new TemplateProblem(`must have at most ${tags} tags, got ${parts.length}`)
  const opened = parts.filter((part) => /^[~{]*\s*(?:[#^{]|else\b)/.test(part)).length
  if (opened > blocks) throw new TemplateProblem(`must have at most ${blocks} blocks, got ${opened}`)
  const nested = Math.max(0, ...parts.map((part) => part.split('(').length - 1))
  if (nested > parentheses)
    throw new TemplateProblem(`must have at most ${parentheses} "(" after one tag, got ${nested}`)
}

function describe(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const place = /on line (\d+)/.exec(text)?.[1] ?? /- (\d+):\d+/.exec(text)?.[1]
  const where = place === undefined ? '' : ` on line ${place}`
  const mismatch = /(\S+ doesn't match \S+)/.exec(text)?.[1]
  if (mismatch !== undefined) return `is not a valid template: ${mismatch}${where}`
  if (text.includes("got 'EOF'")) return `is not a valid template: a block or tag is not closed${where}`
  if (text.includes('CLOSE_RAW_BLOCK') || text.includes('CLOSE_UNESCAPED')) {
    return `is not a valid template: too many closing braces${where}; put a space between "}}" and a "}" of the text`
  }
  return `is not a valid template: cannot be read${where}`
}

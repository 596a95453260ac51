import { lineOf, type Call } from './template-ast.ts'

/** A template that cannot be used. Its message is shown to the user. */
export class TemplateProblem extends Error {}

/** The problem of a tag, block or nested helper that is used wrongly. */
export const misuse = (call: Call, reason: string): TemplateProblem =>
  new TemplateProblem(
    call.source === undefined
      ? `is wrong${lineOf(call)}: ${reason}`
      : `Template {{${call.source}}} cannot be filled: ${reason}`,
  )

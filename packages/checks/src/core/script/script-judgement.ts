import type { ObservedError } from '@vedette/wire'

interface CodeEvidence {
  errors: readonly { message: string }[]
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? ''

/** Code passes when it throws nothing; with `shouldFail` when it throws. What kept it from running always fails. */
export function judgeCode(
  { shouldFail }: { shouldFail: boolean },
  evidence: CodeEvidence | undefined,
  error: ObservedError | undefined,
): string | undefined {
  if (error !== undefined) return error.text
  if (evidence === undefined) return 'The code did not run'
  const [first] = evidence.errors
  if ((first !== undefined) === Boolean(shouldFail)) return undefined
  if (first === undefined) return 'Expected the code to fail, but it passed'
  const more = evidence.errors.length - 1
  const said = firstLine(first.message) || 'The code failed without a message'
  return more === 0 ? said : `${said} (and ${more} more error${more === 1 ? '' : 's'})`
}

/** Code is judged by what it throws: it has neither assertions of ours nor limits on its time. */
export const codeJudgement = {
  judge: judgeCode,
  assertions: () => [],
  assertionSources: {},
  thresholds: () => ({ degraded: undefined, exceeded: undefined }),
  statusCode: () => null,
}

import type { Audited, Change } from '../../../access/write.ts'
import type { ApiDeps, ChangeOfCheck, CheckChange } from '../../api-deps.ts'
import type { Outcomes, Refused } from './each-alone.ts'

/** Checks of one statement: no statement may hold the one connection of the embedded database for long. */
const atOnce = 100

interface InParts<One> {
  account: string
  all: readonly One[]
  change: CheckChange['change']
}

/** What became of a write of many checks besides what `work` noted. */
export interface WrittenInParts {
  refused: Refused[]
  announce: () => void | Promise<void>
}

/**
 * Writes many checks inside a write, part by part, with the lines of the audit log of those that `work` answers as done, and
 * one announcement for all.
 */
export async function writeInParts<One>(
  { hooks }: Pick<ApiDeps, 'hooks'>,
  { audit }: Change,
  { account, all, change }: InParts<One>,
  work: (part: readonly One[]) => Promise<Outcomes<Audited & { runNow: boolean }>>,
): Promise<WrittenInParts> {
  const changes: ChangeOfCheck[] = []
  const refused: Refused[] = []
  for (let at = 0; at < all.length; at += atOnce) {
    const part = await work(all.slice(at, at + atOnce))
    await audit(part.done)
    changes.push(...part.done.map(({ id: checkId, runNow }) => ({ checkId, change, runNow })))
    refused.push(...part.refused)
  }
  return { refused, announce: () => (changes.length === 0 ? undefined : hooks.manyChanged(account, changes)) }
}

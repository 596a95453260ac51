import type { Violation } from './read-file.ts'
import { computedImports, folderExceptions, network, sql, type Exception } from './rules.ts'

/** Records which exceptions were needed. */
export interface UsedExceptions {
  /** Always true, so that it can be used in a condition. */
  note(exception: Exception, what?: string): true
  has(exception: Exception, what?: string): boolean
}

export function usedExceptions(): UsedExceptions {
  const used = new Map<Exception, Set<string>>()
  return {
    note(exception, what = '') {
      used.set(exception, (used.get(exception) ?? new Set()).add(what))
      return true
    },
    has: (exception, what = '') => used.get(exception)?.has(what) ?? false,
  }
}

/** An exception that no file needs would hide the next violation, so it must be removed. */
export function staleExceptions(used: UsedExceptions): Violation[] {
  const plain = [...folderExceptions, ...sql.exceptions, ...computedImports].filter((each) => !used.has(each))
  const parts = network.exceptions.flatMap((each) =>
    each.uses.filter((what) => !used.has(each, what)).map((what) => ({ path: each.path, what: ` of ${what}` })),
  )
  return [...plain.map(({ path }) => ({ path, what: '' })), ...parts].map(({ path, what }) => ({
    file: 'scripts/boundaries/rules.ts',
    line: 1,
    rule: 'exception',
    message: `The exception${what} for ${path} is not needed any more: delete it, or correct its path.`,
  }))
}

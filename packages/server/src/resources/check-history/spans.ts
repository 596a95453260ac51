import type { Run } from './runs.ts'

export interface Stretch {
  kind: 'failing' | 'degraded'
  /** Epoch milliseconds. */
  from: number
  to: number
}

/** Follows the runs of one location, oldest first. */
export interface StretchFinder {
  follow(run: Run): void
  /** What was found so far. */
  stretches(): Stretch[]
}

const kinds = { p: undefined, d: 'degraded', f: 'failing' } as const

/** Finds the times in which a location was failing or degraded, as `historySpan` in wire says it. */
export function stretchFinder(apartMs: number): StretchFinder {
  const ended: Stretch[] = []
  let open: Stretch | undefined

  function begin(kind: Stretch['kind'], at: number): void {
    const before = ended.findLast((stretch) => stretch.kind === kind)
    if (before === undefined || at - before.to >= apartMs) {
      open = { kind, from: at, to: at }
      return
    }
    ended.splice(ended.indexOf(before), 1)
    open = { ...before, to: at }
  }

  return {
    follow({ at, outcome }) {
      if (outcome === 'u') return
      const kind = kinds[outcome]
      if (open) open.to = at
      if (open?.kind === kind) return
      if (open) ended.push(open)
      open = undefined
      if (kind) begin(kind, at)
    },
    stretches: () => (open ? [...ended, open] : ended),
  }
}

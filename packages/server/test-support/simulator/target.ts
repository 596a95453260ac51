import type { Random } from './random.ts'

export type Health = 'up' | 'slow' | 'down'

/** A monitored service; its health at any time is decided in advance. */
export interface Target {
  healthAt(atMs: number): Health
}

export interface TargetSpan {
  from: number
  to: number
}

/** Healthy with troubles of seconds to minutes in between; after `healsAt` it stays up or down. */
export function randomTarget(random: Random, span: TargetSpan, ending: { at: number; health: Health }): Target {
  const changes: { at: number; health: Health }[] = [{ at: span.from, health: 'up' }]
  for (let at = span.from; at < span.to;) {
    at += random.between(20, 150) * 1000
    changes.push({ at, health: random.pick(['slow', 'down', 'down']) })
    at += random.between(5, 240) * 1000
    changes.push({ at, health: 'up' })
  }
  return {
    healthAt(atMs) {
      if (atMs >= ending.at) return ending.health
      return changes.findLast(({ at }) => at <= atMs)?.health ?? 'up'
    },
  }
}

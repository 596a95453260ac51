import type { Random } from './random.ts'

/** `silent` targets let runs wait until their time limit, answers of `hostile` ones cannot be stored as they are. */
export type Health = 'up' | 'slow' | 'down' | 'hostile' | 'silent'

/** A trouble of a monitored service, seen from all locations or from some. Times are minutes after the beginning. */
export interface Trouble {
  fromMin: number
  toMin: number
  health: Health
  seenFrom?: readonly string[]
}

/** A monitored service; its health at any time is decided in advance. */
export interface Target {
  healthAt(atMs: number, location: string): Health
  /** Times at which its health changes, in order. */
  changes: readonly number[]
}

export function targetOf(troubles: readonly Trouble[], beginning: number): Target {
  const at = (minutes: number) => beginning + Math.round(minutes * 60_000)
  return {
    healthAt: (atMs, location) =>
      troubles.findLast(
        ({ fromMin, toMin, seenFrom }) =>
          at(fromMin) <= atMs && atMs < at(toMin) && (seenFrom?.includes(location) ?? true),
      )?.health ?? 'up',
    changes: [...new Set(troubles.flatMap(({ fromMin, toMin }) => [at(fromMin), at(toMin)]))].sort((a, b) => a - b),
  }
}

/** Healthy with troubles of seconds to minutes in between, or as many times as long; some are not seen from all locations. */
export function randomTroubles(
  random: Random,
  { minutes, slowness }: { minutes: number; slowness: number },
  locations: readonly string[],
): Trouble[] {
  const troubles: Trouble[] = []
  for (let min = 0; ;) {
    min += (random.between(20, 180) / 60) * slowness
    if (min >= minutes) return troubles
    const lastsMin = (random.between(5, 300) / 60) * slowness
    const health = random.pick(['slow', 'down', 'hostile', 'silent'] as const)
    const places = locations.length > 1 && random.chance(0.4) ? random.between(1, locations.length - 1) : undefined
    const seenFrom = places && locations.slice(0, places)
    troubles.push({ fromMin: min, toMin: min + lastsMin, health, ...(seenFrom && { seenFrom }) })
    min += lastsMin
  }
}

export const isOk = (health: Health): boolean => health === 'up' || health === 'slow'

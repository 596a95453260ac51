import type { Chronicle } from './chronicle.ts'
import type { History, PastEpisode } from './history.ts'

/**
 * Every check in trouble is in one episode of that state, no other check is in one, and no two of a check overlap. Around a
 * leap of a clock due times are not what they seem, so overlaps there prove nothing.
 */
export function brokenEpisodes({ checks, world }: Chronicle, history: History): string[] {
  const clocksLeapt = (world?.leaps.length ?? 0) > 0 || world?.clocksDiffer === true
  return checks.flatMap(({ id }) => {
    const own = history.episodes.filter(({ checkId }) => checkId === id)
    return [...wrongEnd(id, own, history), ...(clocksLeapt ? [] : overlaps(id, own))]
  })
}

function wrongEnd(id: string, own: readonly PastEpisode[], { states, activated }: History): string[] {
  const state = activated.has(id) ? states.get(id) : undefined
  const expected = state === 'failing' || state === 'degraded' ? state : 'none'
  const open = own.filter(({ endedAt }) => endedAt === null).map((one) => one.state)
  const found = open.join(' and ') || 'none'
  return found === expected ? [] : [`check ${id} ends in the episodes: ${found}, not ${expected}`]
}

function overlaps(id: string, own: readonly PastEpisode[]): string[] {
  return own.flatMap(({ beganAt, endedAt }, at) => {
    const next = own[at + 1]
    const isShort = endedAt !== null && endedAt <= beganAt
    const isDouble = next !== undefined && (endedAt === null || next.beganAt < endedAt)
    const began = new Date(beganAt).toISOString()
    return isShort || isDouble ? [`an episode of ${id} that began at ${began} ends before that or within the next`] : []
  })
}

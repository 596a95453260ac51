import type { AlertState, Condition, TriggeringResult } from '../state/alert-state.ts'

export type EpisodeState = 'failing' | 'degraded'

/** Who said that they care for a trouble, and when. */
export interface Acknowledgement {
  by: string
  at: Date
}

/** The time that a check is degraded or failing, from its first bad run to the first run that shows another state. */
export interface Episode {
  id: string
  state: EpisodeState
  acknowledged: Acknowledgement | null
}

/** One that begins. Times are epoch milliseconds: due times of runs, as those of states are. */
export interface NewEpisode extends Episode {
  beganAt: number
  /** Set when it ends within the transaction that stores its beginning. */
  endedAt: number | null
  cause: string | null
  /** Its first bad result. */
  resultId: string
}

/** The episodes of a check inside one transaction. */
export interface Episodes {
  /** The one that lasts. */
  open: Episode | undefined
  begun: NewEpisode[]
  ended: { id: string; at: number }[]
}

/** What a result says of a check. */
export interface EpisodeStep {
  /** Id of the episode that begins, if one does. */
  id: string
  before: AlertState
  after: AlertState
  dueAt: number
  /** The result that a decided run rests on; undefined when none was decided. */
  basis: TriggeringResult | undefined
  /** Nothing begins for a check that was switched off. */
  activated: boolean
}

const isTrouble = (condition: Condition): condition is EpisodeState =>
  condition === 'failing' || condition === 'degraded'

/**
 * Follows the state of a check. What is open is compared with the state, not with the state before: whatever kept an
 * episode from being written, the next bad run begins it and the next good one ends it.
 */
export function episodesAfter(episodes: Episodes, step: EpisodeStep): Episodes {
  const { condition } = step.after
  if (condition === 'unknown' || condition === episodes.open?.state) return episodes
  const calm = episodes.open ? withEnd(episodes, episodes.open.id, step.after.since) : episodes
  if (!isTrouble(condition) || !step.basis || !step.activated) return calm
  const begun = newEpisode(step, condition, step.basis, episodes.open)
  return { ...calm, open: begun, begun: [...calm.begun, begun] }
}

function newEpisode(
  { id, before, after, dueAt }: EpisodeStep,
  state: EpisodeState,
  basis: TriggeringResult,
  last: Episode | undefined,
): NewEpisode {
  // Whoever cares for a failure goes on with what is left of it. A worsening is news to them.
  const acknowledged = state === 'degraded' && last?.state === 'failing' ? last.acknowledged : null
  return {
    id,
    state,
    acknowledged,
    // A state that lasts has none open when the check was switched off meanwhile: it is watched from here on.
    beganAt: last === undefined && before.condition === after.condition ? dueAt : after.since,
    endedAt: null,
    cause: basis.cause,
    resultId: basis.resultId,
  }
}

function withEnd(episodes: Episodes, id: string, at: number): Episodes {
  const isNew = episodes.begun.some((one) => one.id === id)
  return {
    open: undefined,
    begun: episodes.begun.map((one) =>
      one.id === id ? { ...one, beganAt: Math.min(one.beganAt, at - 1), endedAt: at } : one,
    ),
    ended: isNew ? episodes.ended : [...episodes.ended, { id, at }],
  }
}

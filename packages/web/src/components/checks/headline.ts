import type { Overview } from '@vedette/wire'

/** What is wrong now with the checks that are on, in one sentence; what was wrong last when nothing newer is known. */
export function headline(counts: Overview['counts'], connected: boolean): string {
  const sentence = stateSentence(counts)
  return connected ? sentence : `Last known: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
}

function stateSentence(counts: Overview['counts']): string {
  const { paused = 0, ...watched } = counts
  const all = Object.values(watched).reduce((sum, n) => sum + n, 0)
  const failing = counts.failing ?? 0
  const degraded = counts.degraded ?? 0
  const unknown = counts.unknown ?? 0
  if (failing > 0) return `${failing} of ${all} checks ${isOrAre(failing)} failing`
  if (degraded > 0) return `${degraded} of ${all} checks ${isOrAre(degraded)} degraded`
  if (unknown > 0) return `${unknown} of ${all} checks cannot be judged`
  if ((counts.passing ?? 0) > 0) return `All is well: ${counts.passing} of ${all} checks pass`
  if (all === 0 && paused > 0) return paused === 1 ? '1 check, which is paused' : `${paused} checks, all paused`
  return all === 1 ? '1 check' : `${all} checks`
}

const isOrAre = (count: number) => (count === 1 ? 'is' : 'are')

import type { Overview } from '@vedette/wire'
import { checksText } from '../../api/checks-text.ts'

/** What is wrong now with the checks that are on, in one sentence; what was wrong last when nothing newer is known. */
export function headline(counts: Overview['counts'], connected: boolean): string {
  const sentence = stateSentence(counts)
  return connected ? sentence : `Last known: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
}

function stateSentence(counts: Overview['counts']): string {
  const { paused = 0, failing = 0, degraded = 0, unknown = 0, passing = 0, ...others } = counts
  const all = failing + degraded + unknown + passing + Object.values(others).reduce((sum, n) => sum + n, 0)
  if (failing > 0) return `${failing} of ${all} checks ${isOrAre(failing)} failing`
  if (degraded > 0) return `${degraded} of ${all} checks ${isOrAre(degraded)} degraded`
  if (unknown > 0) return `${unknown} of ${all} checks cannot be judged`
  if (passing > 0) return `All is well: ${whoPasses(passing, all)}`
  return all === 0 && paused > 0 ? `${checksText(paused)}, paused` : checksText(all)
}

function whoPasses(passing: number, all: number): string {
  if (passing < all) return `${passing} of ${all} checks pass`
  return all === 1 ? 'the check passes' : `all ${all} checks pass`
}

const isOrAre = (count: number) => (count === 1 ? 'is' : 'are')

import type { Overview } from '@vedette/wire'
import { listenLive } from '../live-events.ts'
import { pause } from '../readings/statistics.ts'
import type { OwnSession } from '../subjects/subject.ts'

/** As the web app does: changes arrive in bursts, and the page reads again at most this often. */
const gatherMs = 400
const rowsOfPage = 100
const samples = 120

/** Milliseconds from the stop of passing runs to a page that is open on the list of checks. */
export interface PageTimes {
  /** To the event that tells the page. */
  told: number[]
  /** To the answer with which the page shows the run. */
  shown: number[]
}

/** Keeps such a page open for a while, then reads from the API when the runs had stopped. */
export async function watchPage(own: OwnSession, seconds: number): Promise<PageTimes> {
  const told = new Map<string, { checkId: string; at: number }>()
  const shown = new Map<string, { checkId: string; at: number }>()
  const read = async () => {
    const { body } = await own.api<Overview>('GET', `/v1/overview?limit=${rowsOfPage}`)
    for (const { lastResultId, checkId } of body.items)
      if (lastResultId !== null && !shown.has(lastResultId)) shown.set(lastResultId, { checkId, at: Date.now() })
  }
  await read()
  const known = new Set(shown.keys())
  let reading: Promise<void> | undefined
  const live = listenLive(own.url, own.apiKey, (event) => {
    if (event.kind !== 'result') return
    if (event.outcome === 'pass') told.set(event.resultId, { checkId: event.checkId, at: Date.now() })
    reading ??= pause(gatherMs).then(() => {
      reading = undefined
      return read()
    })
  })
  await pause(seconds * 1000)
  const failure = live.failure()
  live.close()
  await reading
  if (failure !== undefined) throw new Error(`The waiting page lost its connection: ${failure}.`)
  const seen = [...shown].filter(([id]) => !known.has(id) && told.has(id))
  return { told: await sinceStop(own, [...told]), shown: await sinceStop(own, seen) }
}

type Seen = [resultId: string, { checkId: string; at: number }]

async function sinceStop(own: OwnSession, seen: readonly Seen[]): Promise<number[]> {
  const step = Math.max(1, Math.floor(seen.length / samples))
  const times: number[] = []
  for (const [resultId, { checkId, at }] of seen.filter((_, n) => n % step === 0).slice(0, samples)) {
    const answer = await own.api<{ stoppedAt: string }>('GET', `/v1/check-results/${checkId}/${resultId}`)
    if (answer.status === 200) times.push(at - Date.parse(answer.body.stoppedAt))
  }
  return times
}

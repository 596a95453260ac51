import type { OwnSession } from '../subjects/subject.ts'

const samples = 20
/** More than a check has slots in a measurement. */
const listed = 50

/** When the stored results of some checks were due, as the API lists them, by check. */
export async function listSample(own: OwnSession, from: number, to: number): Promise<ReadonlyMap<string, number[]>> {
  const ids = own.ids()
  const step = Math.max(1, Math.floor(ids.length / samples))
  const sample = ids.filter((_, n) => n % step === 0).slice(0, samples)
  const paths = sample.map((id) => `/v2/check-results/${id}?limit=${listed}&fields=dueAt`)
  const answers = await own.lists<{ entries: { dueAt: string }[] }>(paths)
  return new Map(
    sample.map((id, n) => {
      const due = (answers[n]?.entries ?? []).map(({ dueAt }) => Date.parse(dueAt))
      return [id, due.filter((at) => at >= from && at < to)]
    }),
  )
}

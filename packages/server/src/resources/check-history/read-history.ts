import type { CheckHistory, HistorySpan } from '@vedette/wire'
import type { Database } from '../../db/database.ts'
import { readLocationSlugs } from '../../locations/location-param.ts'
import { historyDigest } from './digest.ts'
import { partsOf, type HistoryRange } from './history-range.ts'
import { notWatched } from './not-watched.ts'
import { readGaps, readRevisions, readRuns, readWatched, type RunsOfLocation, type WatchedCheck } from './store.ts'

interface Asked extends HistoryRange {
  account: string
  checkId: string
}

/** Undefined when the account has no such check. */
export async function readHistory(db: Database, asked: Asked): Promise<CheckHistory | undefined> {
  const { account, checkId, from, to, bucketMs } = asked
  const watched = await readWatched(db.pool, account, checkId)
  if (!watched) return undefined
  const digest = historyDigest(bucketMs)
  const known = new Map<string | null, number[]>()
  for (const part of partsOf(asked, expectedRunsPerMs(watched))) {
    const runs = await readRuns(db.pool, checkId, part)
    digest.take(runs, part.from)
    for (const own of runs) known.set(own.location, [...(known.get(own.location) ?? []), ...knownTimes(own, part.from)])
  }
  const slugs = await readLocationSlugs(db.pool, account)
  const slugOf = (location: string | null) => (location === null ? null : slugs.slugOf(location))
  const found = digest
    .locations()
    .map((of) => ({ ...of, slug: slugOf(of.location) }))
    .toSorted((a, b) => (a.slug ?? '').localeCompare(b.slug ?? '', 'en'))
  const ids = new Set([...watched.locations, ...found.flatMap(({ location }) => location ?? [])])
  const { locations, runParallel, periodSeconds } = watched
  const by = { locations, runParallel, periodMs: (periodSeconds ?? 0) * 1000 }
  const gaps = notWatched(await readGaps(db.pool, asked, [...ids]), known, by, asked)
  const revisions = await readRevisions(db.pool, asked)
  const spans = [
    ...found.flatMap(({ slug, stretches }) => stretches.map((each) => ({ ...each, location: slug, reason: null }))),
    ...gaps.map((gap) => ({ ...gap, kind: 'not-watched' as const, location: slugOf(gap.location) })),
  ]
  return {
    from: isoTime(from),
    to: isoTime(to),
    bucketMs,
    summary: digest.summary(),
    locations: [...new Set(found.flatMap(({ slug }) => slug ?? []))],
    buckets: found.flatMap(({ slug, buckets }) =>
      buckets.map(({ at, ...numbers }) => ({ at: isoTime(at), location: slug, ...numbers })),
    ),
    spans: spans.toSorted((a, b) => a.from - b.from).map(toSpan),
    changes: revisions.map(({ at, revision }) => ({ at: at.toISOString(), revision })),
  }
}

const knownTimes = ({ at, outcomes }: RunsOfLocation, fromMs: number): number[] =>
  at.flatMap((seconds, nth) => (outcomes[nth] === 'u' ? [] : Math.round(fromMs + seconds * 1000)))

/** A passive check has no period: its results are few. */
export const expectedRunsPerMs = ({ locations, runParallel, periodSeconds }: WatchedCheck): number =>
  (runParallel ? Math.max(1, locations.length) : 1) / ((periodSeconds ?? 60) * 1000)

const toSpan = (span: Omit<HistorySpan, 'from' | 'to'> & { from: number; to: number }): HistorySpan => ({
  ...span,
  from: isoTime(span.from),
  to: isoTime(span.to),
})

const isoTime = (ms: number): string => new Date(ms).toISOString()

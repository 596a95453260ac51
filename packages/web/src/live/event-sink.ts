import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent, Overview, OverviewRow } from '@vedette/wire'
import { isStale } from '../components/system/stale.ts'
import { serverNow } from '../components/time/time-text.tsx'
import { noteListChange } from './list-changes.ts'
import { patchCounts, patchRow, type ResultEvent } from './patch-row.ts'

/** Changes arrive in bursts when many checks run: what is shown is changed at most this often, in milliseconds. */
const gatherMs = 150
/** For so long an answer may be under way that was made before an event which has overtaken it. */
const overtakenMs = 10_000
/** How often rows are looked through for what no event told. */
const staleMs = 30_000
/** Counts are read again so long after a change: a count that was under way may have known it already. */
const recountMs = 3000

/** Puts what the server pushes into what the pages have read; only what cannot be told from an event is read again. */
export interface EventSink {
  take(event: LiveEvent): void
  close(): void
}

export function eventSink(client: QueryClient): EventSink {
  const results: ResultEvent[] = []
  /** With the time each was taken, oldest first. */
  const recent: { event: ResultEvent; at: number }[] = []
  const stale = new Set<string>()
  const changed = new Set<string>()
  let gathering: ReturnType<typeof setTimeout> | undefined
  let recount: ReturnType<typeof setTimeout> | undefined
  const looking = setInterval(() => noteStaleRows(client), staleMs)

  const forget = client.getQueryCache().subscribe((cached) => {
    if (cached.type !== 'updated' || cached.action.type !== 'success' || cached.action.manual === true) return
    const [kind, part] = cached.query.queryKey
    if (kind === 'overview' && (part === 'rows' || part === 'one') && recent.length > 0)
      patchRows(
        client,
        recent.map(({ event }) => event),
      )
  })
  const flush = () => {
    gathering = undefined
    if (results.length > 0) showResults(client, results.splice(0))
    for (const key of stale) void client.invalidateQueries({ queryKey: JSON.parse(key) as string[] })
    stale.clear()
    if (changed.size > 0) noteListChange(changed)
    changed.clear()
  }
  return {
    take(event) {
      if (event.kind === 'result') {
        results.push(event)
        const now = performance.now()
        recent.push({ event, at: now })
        recent.splice(
          0,
          Math.max(
            0,
            recent.findIndex(({ at }) => now - at < overtakenMs),
          ),
        )
        if (event.previousState !== event.state) {
          changed.add(event.checkId)
          recount ??= setTimeout(() => {
            recount = undefined
            void client.invalidateQueries({ queryKey: ['overview', 'counts'] })
          }, recountMs)
        }
      } else if (event.kind === 'check' && event.change !== 'updated') changed.add(event.checkId)
      for (const key of staleAfter(event)) stale.add(JSON.stringify(key))
      gathering ??= setTimeout(flush, gatherMs)
    },
    close() {
      forget()
      clearTimeout(gathering)
      clearTimeout(recount)
      clearInterval(looking)
    },
  }
}

/** Keys of queries whose data an event makes outdated. */
function staleAfter(event: LiveEvent): string[][] {
  switch (event.kind) {
    case 'notification':
      return [['notifications'], ['channels']]
    case 'assets':
      return [
        ['assets', event.checkId],
        ['result', event.resultId],
      ]
    case 'health':
      return [['health'], ['agents']]
    case 'check':
      return [
        ['overview', 'one', event.checkId],
        ['overview', 'rows'],
        ['check', event.checkId],
        ['results', event.checkId, 'heartbeat'],
        ['overview', 'counts'],
      ]
    case 'result':
      return [
        ['results', event.checkId],
        ['history', event.checkId],
        ...(event.previousState === event.state ? [] : [['episodes', event.checkId]]),
      ]
  }
}

/** Changes the rows that pages have, in one pass for all results. */
function patchRows(client: QueryClient, results: readonly ResultEvent[]): void {
  const byCheck = new Map<string, ResultEvent[]>()
  for (const event of results) byCheck.set(event.checkId, [...(byCheck.get(event.checkId) ?? []), event])
  const patched = (row: OverviewRow): OverviewRow => patchRow(row, byCheck.get(row.checkId) ?? [])
  client.setQueriesData<OverviewRow[]>({ queryKey: ['overview', 'rows'] }, (rows) => {
    if (rows === undefined || !rows.some(({ checkId }) => byCheck.has(checkId))) return rows
    const next = rows.map(patched)
    return next.some((row, at) => row !== rows[at]) ? next : rows
  })
  client.setQueriesData<OverviewRow | null>({ queryKey: ['overview', 'one'] }, (row) => (row ? patched(row) : row))
}

/**
 * Has the list read again where time has passed over a row: its result is overdue, as of a check that is not watched any
 * more or at a server that does not store the results, or its mute has ended. No event tells of these.
 */
function noteStaleRows(client: QueryClient): void {
  const now = serverNow()
  const isOver = (row: OverviewRow) =>
    isStale(row, now, true) || (row.mutedUntil !== null && Date.parse(row.mutedUntil) <= now)
  const lists = client.getQueriesData<OverviewRow[]>({ queryKey: ['overview', 'rows'], type: 'active' })
  noteListChange(lists.flatMap(([, rows]) => rows?.filter(isOver).map(({ checkId }) => checkId) ?? []))
}

/** Changes the rows and counts that pages have. */
function showResults(client: QueryClient, results: readonly ResultEvent[]): void {
  patchRows(client, results)
  const moves = results.filter(({ previousState, state }) => previousState !== state)
  if (moves.length === 0) return
  client.setQueryData<Pick<Overview, 'counts'>>(['overview', 'counts'], (known) =>
    known?.counts === undefined
      ? known
      : {
          ...known,
          counts: moves.reduce(
            (counts, { previousState, state }) => patchCounts(counts, previousState, state),
            known.counts,
          ),
        },
  )
}

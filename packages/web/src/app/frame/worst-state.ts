import { useQuery } from '@tanstack/react-query'
import type { CheckState, Overview } from '@vedette/wire'
import { useEffect } from 'react'
import { call } from '../../api/client.ts'
import { healthQuery } from '../../components/system/health-query.ts'
import { signalOf, type Signal } from '../../components/system/signal-view.ts'
import { useConnection } from '../../live/live-provider.tsx'
import { usePagePlace } from '../page-place.ts'

/** How many checks there are of each state. Live events keep it current. */
export const countsQuery = {
  queryKey: ['overview', 'counts'],
  queryFn: () => call<Pick<Overview, 'counts'>>('GET', '/v1/overview?with=counts'),
  refetchInterval: 60_000,
  // The frame and the list both show them.
  staleTime: 30_000,
} as const

type Worst = 'failing' | 'degraded' | 'unknown' | 'passing'

const colours: Record<Worst, string> = {
  failing: '#d92d20',
  degraded: '#f5a524',
  unknown: '#7a5af8',
  passing: '#0b5b53',
}
const shapes: Record<Worst, string> = {
  failing: '<path d="M10 10 22 22M22 10 10 22" stroke="#fff" stroke-width="4" stroke-linecap="round"/>',
  degraded: '<path d="M16 8v10M16 23v.5" stroke="#fff" stroke-width="4.5" stroke-linecap="round"/>',
  unknown: '<circle cx="16" cy="16" r="5" fill="none" stroke="#fff" stroke-width="3.5" stroke-dasharray="5 4"/>',
  passing: '',
}

/** The icon of the tab: that of the app while all is well, a sign of its own for each kind of trouble. */
export function iconOf(worst: Worst): string {
  if (worst === 'passing') return '/favicon.svg'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${colours[worst]}"/>${shapes[worst]}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** What the tab says before the name of the page. Vedette's own trouble comes first: then states are not current. */
export function worstOf(
  counts: Partial<Record<CheckState, number>> | undefined,
  signal: Signal,
): { worst: Worst; prefix: string } {
  if (signal.tone === 'failing' || signal.tone === 'unknown') return { worst: 'unknown', prefix: '(?) ' }
  const { failing = 0, degraded = 0 } = counts ?? {}
  if (failing > 0) return { worst: 'failing', prefix: `(${failing} failing) ` }
  if (degraded > 0) return { worst: 'degraded', prefix: `(${degraded} degraded) ` }
  return { worst: 'passing', prefix: '' }
}

/** Puts the worst state on the tab of the browser: in its title and its icon. */
export function useWorstStateOnTab(): void {
  const counts = useQuery(countsQuery)
  const signal = signalOf(useConnection(), useQuery(healthQuery))
  const { title } = usePagePlace()
  const { worst, prefix } = worstOf(counts.data?.counts, signal)
  useEffect(() => {
    document.title = `${prefix}${title} · Vedette`
  }, [prefix, title])
  useEffect(() => {
    document.querySelector('link[rel=icon]')?.setAttribute('href', iconOf(worst))
  }, [worst])
}

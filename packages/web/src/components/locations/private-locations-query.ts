import { useQueryClient } from '@tanstack/react-query'
import type { LocationUse, PrivateLocation, PrivateLocationMetrics } from '@vedette/wire'
import { call } from '../../api/client.ts'
import { serverNow } from '../time/time-text.tsx'

export const privateLocationsQuery = {
  queryKey: ['private-locations'],
  queryFn: () => call<PrivateLocation[]>('GET', '/v1/private-locations?versions=true'),
  refetchInterval: 15_000,
} as const

export const privateLocationQuery = (id: string) => ({
  queryKey: ['private-locations', id],
  queryFn: () => call<PrivateLocation>('GET', `/v1/private-locations/${id}?versions=true`),
  refetchInterval: 10_000,
})

export const usesQuery = (id: string) => ({
  queryKey: ['private-locations', id, 'uses'],
  queryFn: () => call<LocationUse[]>('GET', `/v1/private-locations/${id}/uses`),
})

export const queueQuery = (id: string, hours: number) => ({
  queryKey: ['private-locations', id, 'metrics', hours],
  queryFn: () => {
    const to = Math.ceil(serverNow() / 1000) + 1
    const range = `from=${to - hours * 3600}&to=${to}`
    return call<PrivateLocationMetrics>('GET', `/v1/private-locations/${id}/metrics?${range}`)
  },
  refetchInterval: 60_000,
})

/** The key that was made with a location, until the page is left for good: nothing else may hold it. */
export const newKeyOf = (id: string) => ['new-location-key', id]

/** Reads private locations and agents anew after one of them was changed. */
export function useLocationsChanged(): () => Promise<unknown> {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: privateLocationsQuery.queryKey }),
      client.invalidateQueries({ queryKey: ['agents'] }),
    ])
}

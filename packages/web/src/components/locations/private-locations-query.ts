import { useQueryClient } from '@tanstack/react-query'
import type { PrivateLocation } from '@vedette/wire'
import { call } from '../../api/client.ts'

export const privateLocationsQuery = {
  queryKey: ['private-locations'],
  queryFn: () => call<PrivateLocation[]>('GET', '/v1/private-locations?versions=true'),
  refetchInterval: 15_000,
} as const

/** Reads private locations and agents anew after one of them was changed. */
export function useLocationsChanged(): () => Promise<unknown> {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: privateLocationsQuery.queryKey }),
      client.invalidateQueries({ queryKey: ['agents'] }),
    ])
}

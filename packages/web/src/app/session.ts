import { useQuery } from '@tanstack/react-query'
import type { Profile } from '@vedette/wire'
import { ApiFailure, call } from '../api/client.ts'

/** Who is signed in; null when nobody is. */
export function useSession() {
  return useQuery({
    queryKey: ['session'],
    queryFn: () =>
      call<Profile>('GET', '/session').catch((error: unknown) => {
        if (error instanceof ApiFailure && error.status === 401) return null
        throw error
      }),
    staleTime: 60_000,
    refetchOnWindowFocus: 'always',
  })
}

import { useQuery } from '@tanstack/react-query'
import { roles, type Profile } from '@vedette/wire'
import { ApiFailure, call } from '../api/client.ts'

const againMs = 3000

/** Who is signed in; null when nobody is. While that cannot be read it is asked again and again. */
export const sessionQuery = {
  queryKey: ['session'],
  queryFn: () =>
    call<Profile>('GET', '/session').catch((error: unknown) => {
      if (error instanceof ApiFailure && error.status === 401) return null
      throw error
    }),
  staleTime: 60_000,
  refetchOnWindowFocus: 'always',
  refetchInterval: ({ state }: { state: { status: string } }) => state.status === 'error' && againMs,
} as const

export const useSession = () => useQuery(sessionQuery)

/** Whether who is signed in has this role, or one that may do more. */
export function useMay(role: Profile['role']): boolean {
  const profile = useSession().data
  return profile !== null && profile !== undefined && roles.indexOf(profile.role) >= roles.indexOf(role)
}

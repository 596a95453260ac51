import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../api/client.ts'
import { toast } from '../ui/toast.ts'

/** Ends the session at the server and leads to the sign-in page. */
export function useSignOut(): () => void {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { mutate } = useMutation({
    mutationFn: () => call('DELETE', '/session'),
    onSuccess: async () => {
      client.clear()
      await navigate({ to: '/sign-in' })
    },
    onError: (error) => toast(error.message, 'fault'),
  })
  return () => mutate()
}

/** Works in another account from now on. Everything is read anew: nothing of the account before may be left. */
export function useSwitchAccount(): (accountId: string) => void {
  const { mutate } = useMutation({
    mutationFn: (accountId: string) => call('PUT', '/session/account', { accountId }),
    onSuccess: () => location.assign('/'),
    onError: (error) => toast(error.message, 'fault'),
  })
  return mutate
}

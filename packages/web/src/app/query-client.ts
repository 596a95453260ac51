import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiFailure } from '../api/client.ts'

/** When any call finds that the session has ended, the open page asks to sign in again. */
const onError = (error: unknown) => {
  const isSignedIn = queryClient.getQueryData(['session']) !== null
  if (error instanceof ApiFailure && error.status === 401 && isSignedIn) queryClient.setQueryData(['session'], null)
}

/** Everything that the app has read from the server. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: true,
      retry: (count, error) => count < 2 && !(error instanceof ApiFailure && error.status >= 400 && error.status < 500),
    },
  },
})

const patienceMs = 4000

/** Resolves once the first page has what it asked the server for, so that nothing else competes with it for the line. */
export const firstPageRead: Promise<void> = new Promise((resolve) => {
  const done = () => {
    stop()
    clearTimeout(latest)
    resolve()
  }
  const latest = setTimeout(done, patienceMs)
  // Looked at a moment later: the answer to one query often leads to the next.
  const look = () => setTimeout(() => queryClient.isFetching() === 0 && done(), 100)
  const stop = queryClient.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated' && queryClient.isFetching() === 0) look()
  })
})

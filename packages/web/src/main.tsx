import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiFailure } from './api/client.ts'
import { router } from './app/router.tsx'
import { showTheme } from './app/theme.ts'
import './styles.css'

/** When any call finds that the session has ended, the sign-in page opens. */
const onError = (error: unknown) => {
  const isSignedIn = client.getQueryData(['session']) !== null
  if (error instanceof ApiFailure && error.status === 401 && isSignedIn) client.setQueryData(['session'], null)
}

const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: true,
      retry: (count, error) => count < 2 && !(error instanceof ApiFailure && error.status >= 400 && error.status < 500),
    },
  },
})

showTheme()
const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)

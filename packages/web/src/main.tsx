import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { lazyPart } from './app/lazy-part.ts'
import { fetchPartsAhead } from './app/parts-ahead.ts'
import { queryClient } from './app/query-client.ts'
import { router } from './app/router.tsx'
import { showDensity } from './app/reader-choices.ts'
import { showTheme } from './app/theme.ts'
import './styles.css'

// Shows nothing until something is said.
const Toaster = lazyPart('after', async () => (await import('./ui/toaster.tsx')).Toaster)

showTheme()
showDensity()
const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Suspense>
        <Toaster />
      </Suspense>
    </QueryClientProvider>
  </StrictMode>,
)
void fetchPartsAhead()

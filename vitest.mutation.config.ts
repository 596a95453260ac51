import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'

/** Only the tests beside the rules whose mutants they have to find; `scripts/mutation.mjs` says which. */
export default defineConfig({
  ssr: { resolve: { conditions: ['vedette-source', ...defaultServerConditions] } },
  test: { include: (process.env['VEDETTE_MUTATION_TESTS'] ?? '').split(',').filter(Boolean), isolate: false },
})

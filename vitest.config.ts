import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'

/** `*.postgresql.test.ts` needs two connections or a network, which the embedded database has not. `unit` is the fast lane; `slow` repeats and kills; `stories` start the real processes and a real browser. */
const lane = process.env['VEDETTE_LANE'] ?? 'unit'

const include: Record<string, string[]> = {
  unit: ['packages/*/{src,test-support}/**/*.test.{ts,tsx}', '{scripts,bench}/**/*.test.ts'],
  slow: ['packages/*/{src,test-support}/**/*.slow.test.ts'],
  stories: ['e2e/**/*.test.ts'],
}

export default defineConfig({
  ssr: { resolve: { conditions: ['vedette-source', ...defaultServerConditions] } },
  test: {
    include: include[lane] ?? [],
    globalSetup: [lane === 'stories' ? 'e2e/build-product.ts' : 'scripts/build-for-tests.mjs'],
    setupFiles: lane === 'stories' ? [] : ['packages/server/test-support/expect-documented-answers.ts'],
    exclude: [
      '**/node_modules/**',
      ...(lane === 'unit' ? ['**/*.slow.test.ts'] : []),
      ...(process.env.TEST_DATABASE_URL === undefined ? ['**/*.postgresql.test.ts'] : []),
    ],
    hookTimeout: lane === 'unit' ? 60_000 : 240_000,
    testTimeout: lane === 'unit' ? 20_000 : 600_000,
    isolate: false,
    pool: 'forks',
    maxWorkers: 2,
  },
})

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
    hookTimeout: 60_000,
    testTimeout: 20_000,
    isolate: false,
    pool: 'forks',
    maxWorkers: 2,
  },
})

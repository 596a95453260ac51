import type { AgenticEvidence } from './result.ts'

/** The smallest check a user can send. For the suite over all check types. */
export const leastCheck = () => ({ name: 'least', prompt: 'Say whether https://shop.example works.' })

/** What a run sees when all is well. */
export const goodEvidence: AgenticEvidence = {
  durationMs: 61_000,
  summary: 'The shop works.',
  prompt: 'Say whether https://shop.example works.',
  assertions: [{ condition: 'the page opens', passed: true, actual: '200', expected: '200' }],
  suggestions: [{ summary: 'Name the page', prompt: 'Open the front page.', secrets: [], category: 'endpoint' }],
  steps: [
    {
      type: 'tool_call',
      name: 'open',
      input: {},
      output: 'opened',
      timestamp: '2026-01-01T00:00:00.000Z',
      sequenceNumber: 1,
    },
  ],
  errors: [],
  artifactManifest: {},
}

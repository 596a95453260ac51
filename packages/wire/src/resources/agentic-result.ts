import { z } from 'zod'

const anyObject = z.record(z.string(), z.unknown())

/** The type-specific part of results of agentic checks. Source: contract, "Check result". */
export const agenticResultSchema = z
  .object({
    summary: z.string(),
    prompt: z.string(),
    assertions: z.array(
      z.object({ condition: z.string(), passed: z.boolean(), actual: z.string(), expected: z.string() }),
    ),
    suggestions: z.array(
      z.object({
        summary: z.string(),
        prompt: z.string(),
        secrets: z.array(z.string()).describe('Names of variables.'),
        category: z.string(),
      }),
    ),
    steps: z.array(
      z.object({
        type: z.string(),
        name: z.string(),
        input: anyObject,
        output: z.string(),
        timestamp: z.string(),
        sequenceNumber: z.int(),
      }),
    ),
    errors: z.array(anyObject),
    artifactManifest: anyObject,
  })
  .meta({ id: 'AgenticCheckResult', description: 'Of agentic checks.' })

import { minuteFrequencies, type ObservedError } from '@vedette/wire'
import { z, type ZodRawShape } from 'zod'
import { defineCheckType } from '../core/check-type.ts'
import type { DefinitionOf } from '../core/definition/typed-definition.ts'
import { valueAt } from '../core/value-at.ts'
import { agenticResultView, agenticTypePart, toAgenticResult, type AgenticEvidence } from './result.ts'

/** Longest time of one attempt in milliseconds. */
const attemptTimeoutMs = 240_000

/** An agent takes minutes, so it is not started more often than every five. */
const frequencies = minuteFrequencies.filter((minutes) => minutes >= 5)

/** Common fields that agentic checks do not have: they run once, at shared locations, and expect to pass. */
const omitted = [
  'privateLocations',
  'runParallel',
  'retryStrategy',
  'doubleCheck',
  'shouldFail',
  'triggerIncident',
] as const

const prompt = z
  .string()
  .min(1)
  .max(10_000)
  .meta({
    description: 'What the agent is to find out.',
    examples: ['Open https://example.com/ and say whether it works.'],
  })
const skills = z.array(z.string().min(1).max(255)).max(50)

const fields = {
  prompt,
  agentRuntime: z
    .strictObject({ skills: skills.optional().describe('Names of what the agent may use.') })
    .nullable()
    .describe('What the agent works with.'),
} satisfies ZodRawShape
const storedFields = { prompt, agentRuntime: z.object({ skills }) } satisfies ZodRawShape

/** The complete definition of an agentic check. */
export type AgenticDefinition = DefinitionOf<typeof storedFields, (typeof omitted)[number]>

/** It fails with what kept the agent from its work, or else with the first condition that does not hold. */
function judge(_: AgenticDefinition, evidence: AgenticEvidence | undefined, error: ObservedError | undefined) {
  if (error !== undefined) return error.text
  if (evidence === undefined) return 'The agent did not run'
  const [trouble] = evidence.errors
  if (trouble !== undefined) {
    const message = valueAt(trouble, 'error.message')
    return typeof message === 'string' && message !== '' ? message : 'The agent failed without a message'
  }
  const broken = evidence.assertions.find(({ passed }) => !passed)
  return broken && `Expected ${broken.condition}: ${broken.expected}, got ${broken.actual}`
}

/** Questions in plain words that an agent answers by looking. */
export const agenticCheckType = defineCheckType<
  AgenticDefinition,
  AgenticEvidence,
  DefinitionOf<typeof fields, (typeof omitted)[number]>,
  typeof agenticTypePart
>({
  type: 'AGENTIC',
  path: 'agentic',
  title: 'Agentic',
  ...agenticTypePart,
  fields,
  storedFields,
  defaults: { agentRuntime: { skills: [] } },
  example: { name: 'Shop works', frequency: 60, prompt: 'Open https://shop.example.com/ and say whether it works.' },
  formStart: { prompt: '' },
  rules: [],
  omitsCommonFields: omitted,
  secretPaths: [],
  complete: (definition) => ({ ...definition, agentRuntime: { skills: definition.agentRuntime?.skills ?? [] } }),
  mode: {
    kind: 'scheduled',
    workerClass: 'browser',
    frequencies,
    repeatWhenStalled: false,
    needs: () => ['user-code', 'browser', 'language-model'],
    timeoutMs: () => attemptTimeoutMs,
  },
  dryRun: false,
  assertions: () => [],
  assertionSources: {},
  judge,
  thresholds: () => ({ degraded: undefined, exceeded: undefined }),
  responseMs: ({ durationMs }) => durationMs,
  statusCode: () => null,
  metrics: [
    { name: 'responseTime', label: 'Duration', unit: 'ms', read: ({ durationMs }) => durationMs },
    { name: 'steps', label: 'Steps', unit: 'count', read: ({ steps }) => steps.length },
  ],
  toResult: toAgenticResult,
  resultView: agenticResultView,
  target: () => '',
  describe: () => ({ action: 'let an agent look', host: '' }),
  form: [
    {
      title: 'Prompt',
      fields: [
        {
          path: 'prompt',
          label: 'Prompt',
          kind: 'textarea',
          help: 'What the agent is to do, and what must be true. {{NAME}} inserts a variable.',
        },
        {
          path: 'agentRuntime.skills',
          label: 'Skills',
          kind: 'texts',
          placeholder: 'playwright',
          help: 'What the agent may use, separated by commas.',
        },
      ],
    },
  ],
})

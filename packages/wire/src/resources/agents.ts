import { z } from 'zod'
import { locations } from '../enums.ts'
import { dateTime } from './answer-fields.ts'

/** `builtin` stands in for every data-center location that has no key of its own. */
export const agentKeyKinds = ['builtin', 'data-center', 'private'] as const
export type AgentKeyKind = (typeof agentKeyKinds)[number]

/** An agent that runs checks, and its condition. */
export const agentResponse = z
  .object({
    agentId: z.string(),
    kind: z.enum(agentKeyKinds),
    locations: z.array(z.string()).describe('Locations it serves now.'),
    emulated: z.boolean().describe('It stands in for locations without an agent of their own.'),
    version: z.string(),
    checkTypes: z.array(z.string()),
    capabilities: z.array(z.string()),
    state: z.enum(['online', 'silent']).describe('silent: not heard of for over a minute.'),
    lastSeenAt: dateTime,
    running: z.int().describe('Runs under way.'),
    spooled: z.int().describe('Results that wait on its disk.'),
    eventLoopLagMs: z.number(),
    residentMb: z.number(),
    clockOffsetMs: z.number().nullable().describe('Milliseconds from its clock to the clock of the server.'),
    crashes: z.int().describe('Crashes of its parts since it said hello.'),
  })
  .meta({ id: 'Agent' })
export type Agent = z.infer<typeof agentResponse>

/** A key with which agents of a location sign in. */
export const agentKeyResponse = z
  .object({
    id: z.string(),
    kind: z.enum(agentKeyKinds).describe('builtin: the agent that the server itself starts.'),
    location: z.string().describe('The location that agents with this key serve; of a built-in agent, its server.'),
    maskedKey: z.string().describe('The last characters of the key.'),
    created_at: dateTime,
  })
  .meta({ id: 'AgentKey' })
export type AgentKeyAnswer = z.infer<typeof agentKeyResponse>

export const agentKeyCreate = z
  .strictObject({
    location: z.enum(locations).describe('From now on only agents with such a key run the checks of this location.'),
  })
  .meta({ examples: [{ location: 'eu-west-1' }] })

/** The answer to a create: the only one that holds the key itself. */
export const agentKeyCreated = z.object({
  ...agentKeyResponse.shape,
  rawKey: z.string().describe('The key itself. Shown here and never again.'),
})

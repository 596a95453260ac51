import { heartbeatStates } from '@vedette/wire'
import { z } from 'zod'
import type { ResultSection } from '../core/result-view.ts'

const resultSchema = z
  .object({
    state: z.enum(heartbeatStates).describe('How the ping came, or that none came in time.'),
    sinceLastPingMs: z.number().nullable().describe('Milliseconds since the ping before; null for the first one.'),
    source: z.string().nullable().describe('Where the ping came from, as its sender says.'),
    userAgent: z.string().nullable().describe('The program that sent the ping, as it says.'),
  })
  .meta({ id: 'HeartbeatCheckResult', description: 'A ping of a heartbeat check, or that none came.' })
export type HeartbeatEvidence = z.infer<typeof resultSchema>

export const heartbeatTypePart = { resultKey: 'heartbeatCheckResult' as const, resultSchema }

/** The page of a result. */
export const heartbeatResultView: readonly ResultSection[] = [
  {
    title: 'Ping',
    about: 'state',
    parts: [
      {
        kind: 'facts',
        facts: [
          { label: 'State', path: 'state' },
          { label: 'Since the ping before', path: 'sinceLastPingMs', unit: 'ms' },
          { label: 'Source', path: 'source' },
          { label: 'User agent', path: 'userAgent' },
        ],
      },
    ],
  },
]

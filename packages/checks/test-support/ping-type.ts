import { z, type ZodRawShape } from 'zod'
import { defineCheckType } from '../src/core/check-type.ts'
import { scheduleFields, type DefinitionOf } from '../src/core/definition/typed-definition.ts'
import type { PassiveDecision, PassiveHistory, PassiveResult } from '../src/core/passive.ts'

const everySeconds = z.int().min(1).max(86_400)
const fields = {
  ping: z.strictObject({
    everySeconds,
    graceSeconds: z.int().min(0).max(3600),
    token: z.guid().nullable().optional(),
    url: z.unknown().optional(),
  }),
} satisfies ZodRawShape
const storedFields = {
  ping: z.object({ everySeconds, graceSeconds: z.int(), token: z.string(), url: z.string().optional() }),
} satisfies ZodRawShape

type Omitted = (typeof scheduleFields)[number] | 'shouldFail'
type PingDefinition = DefinitionOf<typeof storedFields, Omitted>

const resultSchema = z.object({
  state: z.enum(['RECEIVED', 'FAILING']),
  waitedMs: z.number(),
  source: z.string().nullable(),
  userAgent: z.string().nullable(),
})
type PingEvidence = z.infer<typeof resultSchema>

/** The end of a wait that began at `from`. When the server was away during the wait, it begins anew. */
function waitFrom(from: number, spanMs: number, gaps: PassiveHistory['gaps']): { from: number; end: number } {
  const gap = gaps.findLast((each) => each.to > from && each.from < from + spanMs)
  return gap === undefined ? { from, end: from + spanMs } : waitFrom(gap.to, spanMs, gaps)
}

function decide(
  { startedAt, events, lastDueAt, gaps }: PassiveHistory,
  nowMs: number,
  { ping }: PingDefinition,
): PassiveDecision<PingEvidence> {
  const spanMs = (ping.everySeconds + ping.graceSeconds) * 1000
  const results: PassiveResult<PingEvidence>[] = []
  let since = lastDueAt ?? startedAt
  const missUntil = (until: number): void => {
    for (let wait = waitFrom(since, spanMs, gaps); wait.end <= until; wait = waitFrom(since, spanMs, gaps)) {
      const evidence = { state: 'FAILING', waitedMs: wait.end - wait.from, source: null, userAgent: null } as const
      results.push({ dueAt: wait.end, evidence })
      since = wait.end
    }
  }
  const [first] = events
  if (first === undefined) return { results, lookAgainAt: null }
  for (const { at, source, userAgent } of events.filter((event) => event.at > since && event.at <= nowMs)) {
    if (at !== first.at) missUntil(at - 1)
    results.push({ dueAt: at, evidence: { state: 'RECEIVED', waitedMs: at - since, source, userAgent } })
    since = at
  }
  missUntil(nowMs)
  return { results, lookAgainAt: waitFrom(since, spanMs, gaps).end }
}

/** A passive type for tests: a check that fails when no ping arrives in time. The first ping starts it. */
export const pingCheckType = defineCheckType<PingDefinition, PingEvidence, DefinitionOf<typeof fields, Omitted>>({
  type: 'HEARTBEAT',
  path: 'ping',
  title: 'Ping',
  resultKey: 'pingResult',
  resultSchema,
  fields,
  storedFields,
  defaults: {},
  formStart: { ping: { everySeconds: 60, graceSeconds: 10 } },
  rules: [
    ({ ping }) =>
      ping.graceSeconds <= ping.everySeconds
        ? []
        : [
            {
              path: 'ping.graceSeconds',
              message: `must be at most everySeconds (${ping.everySeconds}), got ${ping.graceSeconds}`,
            },
          ],
  ],
  omitsCommonFields: [...scheduleFields, 'shouldFail'],
  secretPaths: [],
  complete: ({ ping: { everySeconds, graceSeconds, token }, ...rest }) => ({
    ...rest,
    ping: { everySeconds, graceSeconds, token: token ?? '' },
  }),
  mode: {
    kind: 'passive',
    events: {
      tokenPath: 'ping.token',
      addressPath: 'ping.url',
      methods: ['GET', 'POST'],
      counts: ({ userAgent }) => !/linkpreview/i.test(userAgent ?? ''),
    },
    decide,
  },
  dryRun: false,
  assertions: () => [],
  assertionSources: {},
  judge: (_, evidence) =>
    evidence?.state === 'FAILING' ? `No ping arrived within ${Math.round(evidence.waitedMs / 1000)} s` : undefined,
  thresholds: () => ({ degraded: undefined, exceeded: undefined }),
  responseMs: () => null,
  statusCode: () => null,
  metrics: [{ name: 'waited', label: 'Waited', unit: 'ms', read: ({ waitedMs }) => waitedMs }],
  toResult: (_, { evidence }) => ({ ...evidence }),
  resultView: [
    {
      title: 'Ping',
      about: 'state',
      parts: [
        {
          kind: 'facts',
          facts: [
            { label: 'State', path: 'state' },
            { label: 'Waited', path: 'waitedMs', unit: 'ms' },
            { label: 'Source', path: 'source' },
            { label: 'User agent', path: 'userAgent' },
          ],
        },
      ],
    },
  ],
  target: () => '',
  describe: ({ ping }) => ({ action: `waits for a ping every ${ping.everySeconds} s`, host: '' }),
  form: [
    {
      title: 'Ping',
      fields: [
        { path: 'ping.everySeconds', label: 'Expected every (s)', kind: 'number' },
        { path: 'ping.graceSeconds', label: 'Grace (s)', kind: 'number' },
      ],
    },
  ],
})

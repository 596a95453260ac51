import { expect, it } from 'vitest'
import { z } from 'zod'
import { comparisons } from '@vedette/wire'
import { createSchema, defaultsOf, responseSchema } from './check-schema.ts'
import type { AnyCheckType, CheckType, Metric } from './check-type.ts'
import { completeAssertion, ipFamilySchema, storedAssertionSchema } from './field-shapes.ts'

interface HeartbeatEvidence {
  state: 'EARLY' | 'RECEIVED' | 'GRACE' | 'LATE' | 'FAILING'
  lastPingAt: number | null
}
interface Heartbeat {
  period: number
  periodUnit: 'seconds' | 'minutes' | 'hours' | 'days'
  grace: number
  graceUnit: 'seconds' | 'minutes' | 'hours' | 'days'
}
const unitMs = { seconds: 1e3, minutes: 6e4, hours: 36e5, days: 864e5 }
const timeUnit = z.enum(['seconds', 'minutes', 'hours', 'days'])
const heartbeatShape = z.strictObject({
  period: z.int().min(1),
  periodUnit: timeUnit,
  grace: z.int().min(0),
  graceUnit: timeUnit,
})

const heartbeat: CheckType<HeartbeatEvidence> = {
  type: 'HEARTBEAT',
  path: 'heartbeat',
  title: 'Heartbeat',
  resultSlot: null,
  fields: { heartbeat: heartbeatShape },
  storedFields: { heartbeat: heartbeatShape },
  defaults: {},
  rules: [],
  frequencies: [],
  omitsCommonFields: [
    'frequency',
    'frequencyOffset',
    'locations',
    'privateLocations',
    'runParallel',
    'retryStrategy',
    'doubleCheck',
    'shouldFail',
    'runtimeId',
  ],
  secretPaths: [],
  complete: (definition) => definition,
  mode: {
    kind: 'passive',
    decide(events, nowMs, definition) {
      const { period, periodUnit, grace, graceUnit } = definition.heartbeat as Heartbeat
      const lastPingAt = events.at(-1)?.atMs ?? null
      const expectedAt = (lastPingAt ?? nowMs) + period * unitMs[periodUnit]
      const failsAt = expectedAt + grace * unitMs[graceUnit]
      if (nowMs < failsAt) return { evidence: undefined, lookAgainAt: failsAt }
      return { evidence: { state: 'FAILING', lastPingAt }, lookAgainAt: failsAt + period * unitMs[periodUnit] }
    },
  },
  assertions: () => [],
  assertionSources: {},
  judge: (_, evidence) => (evidence?.state === 'FAILING' ? 'No ping arrived in time' : undefined),
  thresholds: () => ({ degraded: undefined, exceeded: undefined }),
  responseMs: () => null,
  metrics: [],
  toResult: () => ({}),
  describe: () => ({ action: 'expect a ping', host: '' }),
  form: [],
}

interface IcmpEvidence {
  request: { hostname: string }
  packetLoss: number
  latency: { avg: number; min: number; max: number; stdDev: number }
  response: Record<string, unknown>
}
const latency = (name: keyof IcmpEvidence['latency'], label: string): Metric<IcmpEvidence> => ({
  name,
  label,
  unit: 'ms',
  read: (evidence) => evidence.latency[name],
})
const icmpRequest = z.strictObject({
  hostname: z.string(),
  ipFamily: ipFamilySchema.optional(),
  pingCount: z.int().min(1).max(50).optional(),
  assertions: z.array(storedAssertionSchema).optional(),
})

const icmp: CheckType<IcmpEvidence> = {
  type: 'ICMP',
  path: 'icmp',
  title: 'ICMP',
  resultSlot: 'apiCheckResult',
  fields: {
    request: icmpRequest,
    degradedPacketLossThreshold: z.number().min(0).max(100),
    maxPacketLossThreshold: z.number().min(0).max(100),
  },
  storedFields: {
    request: icmpRequest.required(),
    degradedPacketLossThreshold: z.number(),
    maxPacketLossThreshold: z.number(),
  },
  defaults: { degradedPacketLossThreshold: 10, maxPacketLossThreshold: 20 },
  rules: [],
  frequencies: [0, 1, 2, 5],
  secretPaths: [],
  complete(definition) {
    const request = definition.request as z.infer<typeof icmpRequest>
    const assertions = (request.assertions ?? []).map(completeAssertion)
    return { ...definition, request: { pingCount: 10, ipFamily: 'IPv4', ...request, assertions } }
  },
  mode: { kind: 'scheduled', lane: 'network', repeatWhenStalled: false, needs: () => ['icmp'], capMs: () => 30_000 },
  assertions: ({ request }) => (request as { assertions: [] }).assertions,
  assertionSources: {
    LATENCY: {
      comparisons: ['LESS_THAN', 'GREATER_THAN'],
      reads: 'value',
      timed: true,
      property: { label: 'Statistic', placeholder: 'avg', required: true, options: ['avg', 'min', 'max', 'stdDev'] },
      read: (evidence, property) => evidence.latency[property as 'avg'],
    },
    JSON_RESPONSE: { comparisons, reads: 'jsonPath', read: ({ response }) => response },
  },
  judge: (_, evidence, error) => error?.text ?? (evidence?.packetLoss === 100 ? 'No answer to any ping' : undefined),
  thresholds(definition, { packetLoss }) {
    const over = (limit: unknown) =>
      packetLoss > (limit as number) ? `Lost ${packetLoss} % of packets, limit ${String(limit)} %` : undefined
    return {
      degraded: over(definition.degradedPacketLossThreshold),
      exceeded: over(definition.maxPacketLossThreshold),
    }
  },
  responseMs: (evidence) => evidence.latency.avg,
  metrics: [
    latency('avg', 'Average latency'),
    { name: 'packetLoss', label: 'Packet loss', unit: 'percent', read: ({ packetLoss }) => packetLoss },
  ],
  toResult: (_, { evidence, assertions }) => ({ apiCheckResult: { assertions, response: evidence?.response ?? null } }),
  describe: ({ request }) => ({ action: 'ping', host: (request as { hostname: string }).hostname }),
  form: [],
}

interface Vital {
  score: 'GOOD' | 'NEEDS_IMPROVEMENT' | 'POOR'
  value: number
}
interface BrowserEvidence {
  pages: { url: string; webVitals: Partial<Record<'CLS' | 'FCP' | 'LCP' | 'TBT' | 'TTFB', Vital>> }[]
  errors: { message: string }[]
  degradedReasons: string[]
  wallClockMs: number
  assets: { name: string; kind: 'trace' | 'video' | 'screenshot' | 'log' }[]
}
const script = z.string().nullable()

const browser: CheckType<BrowserEvidence> = {
  type: 'BROWSER',
  path: 'browser',
  title: 'Browser',
  resultSlot: 'browserCheckResult',
  fields: { script, scriptPath: script, sslCheckDomain: script },
  storedFields: { script, scriptPath: script, sslCheckDomain: script },
  defaults: { scriptPath: null, sslCheckDomain: null },
  rules: [],
  frequencies: [1, 2, 5, 10],
  secretPaths: ['environmentVariables.[secret].value'],
  complete: (definition) => definition,
  mode: {
    kind: 'scheduled',
    lane: 'browser',
    repeatWhenStalled: false,
    needs: ({ runtimeId }) => [`runtime:${String(runtimeId)}`, 'browser:chromium', 'user-code'],
    capMs: () => 240_000,
  },
  assertions: () => [],
  assertionSources: {},
  judge: (_, evidence, error) => error?.text ?? evidence?.errors[0]?.message,
  thresholds: (_, { degradedReasons }) => ({ degraded: degradedReasons[0], exceeded: undefined }),
  responseMs: ({ wallClockMs }) => wallClockMs,
  metrics: [
    { name: 'LCP', label: 'Largest paint', unit: 'ms', read: ({ pages }) => pages[0]?.webVitals.LCP?.value ?? null },
    { name: 'CLS', label: 'Layout shift', unit: 'score', read: ({ pages }) => pages[0]?.webVitals.CLS?.value ?? null },
  ],
  toResult: (_, { evidence }) => ({ browserCheckResult: { ...evidence, jobAssets: evidence?.assets } }),
  describe: () => ({ action: 'run a browser script', host: '' }),
  form: [{ title: 'Script', fields: [{ path: 'script', label: 'Script', kind: 'textarea' }] }],
}

interface AgenticEvidence {
  summary: string
  assertions: { condition: string; passed: boolean; actual: string; expected: string }[]
  steps: { type: string; name: string; sequenceNumber: number }[]
}

const agentic: CheckType<AgenticEvidence> = {
  type: 'AGENTIC',
  path: 'agentic',
  title: 'Agentic',
  resultSlot: 'agenticCheckResult',
  fields: { prompt: z.string().min(1).max(10_000) },
  storedFields: { prompt: z.string() },
  defaults: {},
  rules: [],
  frequencies: [5, 10, 15, 30, 60, 120, 180, 360, 720, 1440],
  omitsCommonFields: [
    'retryStrategy',
    'doubleCheck',
    'runParallel',
    'shouldFail',
    'triggerIncident',
    'privateLocations',
  ],
  secretPaths: [],
  complete: (definition) => definition,
  mode: {
    kind: 'scheduled',
    lane: 'script',
    repeatWhenStalled: false,
    needs: () => ['language-model'],
    capMs: () => 600_000,
  },
  assertions: () => [],
  assertionSources: {},
  judge(_, evidence, error) {
    const failed = evidence?.assertions.find(({ passed }) => !passed)
    return error?.text ?? (failed && `Expected ${failed.condition}: ${failed.expected}, got ${failed.actual}`)
  },
  thresholds: () => ({ degraded: undefined, exceeded: undefined }),
  responseMs: () => null,
  metrics: [{ name: 'steps', label: 'Steps', unit: 'count', read: ({ steps }) => steps.length }],
  toResult: (_, { evidence, error }) => ({ agenticCheckResult: { ...evidence, errors: error ? [error] : [] } }),
  describe: () => ({ action: 'follow a prompt', host: '' }),
  form: [{ title: 'Prompt', fields: [{ path: 'prompt', label: 'Prompt', kind: 'textarea' }] }],
}

const paperTypes: AnyCheckType[] = [heartbeat, icmp, browser, agentic]

it.each(paperTypes.map((type) => [type.type, type] as const))('%s fits the interface', (_, type) => {
  const names = Object.keys(createSchema(type).shape)
  for (const omitted of type.omitsCommonFields ?? []) {
    expect(names).not.toContain(omitted)
    expect(defaultsOf(type)).not.toHaveProperty(omitted)
  }
  expect(z.toJSONSchema(responseSchema(type))).toHaveProperty('properties.checkType')
})

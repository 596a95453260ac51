import { defineCheckType, type FormSection } from '../core/check-type.ts'
import { decide } from './decide.ts'
import {
  amountText,
  boundsRule,
  expectedText,
  fields,
  heartbeatTimes,
  omittedFields,
  periodUnits,
  storedFields,
  type HeartbeatDefinition,
  type SentHeartbeat,
} from './fields.ts'
import { isLinkPreview } from './link-preview.ts'
import { heartbeatResultView, heartbeatTypePart, type HeartbeatEvidence } from './result.ts'

const units = periodUnits.map((value) => ({ value, label: `${value.slice(0, 1).toUpperCase()}${value.slice(1)}` }))

const form: readonly FormSection[] = [
  {
    title: 'Expected ping',
    fields: [
      { path: 'heartbeat.period', label: 'Expected every', kind: 'number', placeholder: '1' },
      { path: 'heartbeat.periodUnit', label: 'Unit', kind: 'select', options: units },
      { path: 'heartbeat.grace', label: 'May be late by', kind: 'number', placeholder: '30' },
      { path: 'heartbeat.graceUnit', label: 'Unit of lateness', kind: 'select', options: units },
    ],
  },
]

/** The wait since the last ping, rounded to what a person reads at a glance. */
function waitText(ms: number): string {
  const steps = [
    ['days', 86_400_000],
    ['hours', 3_600_000],
    ['minutes', 60_000],
  ] as const
  const [unit, unitMs] = steps.find(([, step]) => ms >= 2 * step) ?? (['seconds', 1000] as const)
  return amountText(Math.round(ms / unitMs), unit)
}

/** Waits for pings of a job and fails when none comes in time. */
export const heartbeatCheckType = defineCheckType<
  HeartbeatDefinition,
  HeartbeatEvidence,
  SentHeartbeat,
  typeof heartbeatTypePart
>({
  type: 'HEARTBEAT',
  path: 'heartbeat',
  title: 'Heartbeat',
  ...heartbeatTypePart,
  fields,
  storedFields,
  defaults: {},
  example: {
    name: 'Nightly backup',
    tags: ['shop'],
    heartbeat: { period: 1, periodUnit: 'days', grace: 30, graceUnit: 'minutes' },
  },
  formStart: { heartbeat: { period: 1, periodUnit: 'days', grace: 30, graceUnit: 'minutes' } },
  rules: [boundsRule],
  omitsCommonFields: omittedFields,
  secretPaths: [],
  complete: ({ heartbeat: { period, periodUnit, grace, graceUnit, pingToken }, ...rest }) => ({
    ...rest,
    heartbeat: { period, periodUnit, grace, graceUnit, pingToken: pingToken ?? '' },
  }),
  mode: {
    kind: 'passive',
    events: {
      tokenPath: 'heartbeat.pingToken',
      addressPath: 'heartbeat.pingUrl',
      methods: ['GET', 'POST'],
      counts: ({ userAgent }) => !isLinkPreview(userAgent),
    },
    waitsFor: heartbeatTimes,
    decide,
  },
  dryRun: false,
  assertions: () => [],
  assertionSources: {},
  judge: (definition, evidence) =>
    evidence?.state === 'FAILING'
      ? `No ping for ${waitText(evidence.sinceLastPingMs ?? 0)}, expected every ${expectedText(definition)}`
      : undefined,
  thresholds: () => ({ degraded: undefined, exceeded: undefined }),
  responseMs: () => null,
  statusCode: () => null,
  metrics: [
    {
      name: 'sinceLastPing',
      label: 'Since the ping before',
      unit: 'ms',
      read: ({ sinceLastPingMs }) => sinceLastPingMs,
    },
  ],
  toResult: (_, { evidence }) => ({ ...evidence }),
  resultView: heartbeatResultView,
  target: () => '',
  describe: (definition) => ({ action: `waits for a ping every ${expectedText(definition)}`, host: '' }),
  form,
})

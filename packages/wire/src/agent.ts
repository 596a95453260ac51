import { z } from 'zod'
import { workerClasses, outcomes, type CheckTypeName, type WorkerClass } from './enums.ts'
import { comparisons } from './assertion.ts'

/** Version of the agent protocol. The server accepts this one and the one before. */
export const agentProtocolVersion = 2

/** Paths of the agent protocol, all POST with JSON and `Authorization: Bearer <location key>`. */
export const agentPaths = {
  hello: '/agent/v2/hello',
  lease: '/agent/v2/lease',
  renew: '/agent/v2/renew',
  results: '/agent/v2/results',
  diagnostics: '/agent/v2/diagnostics',
  release: '/agent/v2/release',
  goodbye: '/agent/v2/goodbye',
  plan: '/agent/v2/plan',
} as const

const attemptIds = z.array(z.uuid()).max(10_000)
const agentId = z.uuid()
const capacity = z.partialRecord(z.enum(workerClasses), z.int().min(0).max(10_000))

/** First message, and again after every loss of connection. Attempts named here are not issued again. */
export const helloRequest = z.strictObject({
  protocol: z.int(),
  agentId,
  version: z.string().max(100),
  checkTypes: z.array(z.string().max(50)).max(100),
  capabilities: z.array(z.string().max(100)).max(100),
  capacity,
  inFlight: attemptIds,
  spooled: attemptIds,
})
export type HelloRequest = z.infer<typeof helloRequest>
export interface HelloResponse {
  protocol: number
  /** Epoch milliseconds at the server when it answered: the agent keeps the offset of its best round trip. */
  serverTime: number
  /** Locations this key serves now, as people write them. Empty for a key whose locations all belong to others. */
  locations: string[]
  leaseMs: number
  renewEveryMs: number
  longPollMs: number
}

/** Long poll for at most as many jobs as the agent has free capacity for, per worker class. */
export const leaseRequest = z.strictObject({ agentId, free: capacity, waitMs: z.int().min(0).max(60_000) })
export type LeaseRequest = z.infer<typeof leaseRequest>
export interface LeaseResponse {
  serverTime: number
  jobs: Job[]
}

/** A variable as the run sees it. Values of secrets are scrubbed from everything the agent reports. */
export interface JobVariable {
  key: string
  value: string
  secret: boolean
}

/** A certificate that a run presents to servers of its host. The key is scrubbed from everything the agent reports. */
export interface JobClientCertificate {
  /** Name of a host; `*` stands for any characters. */
  host: string
  /** PEM, the certificate itself first. */
  cert: string
  /** PEM, not encrypted. */
  key: string
  /** Authorities trusted for that host besides the usual ones, PEM. */
  ca: string | null
}

/** What is run, apart from when: the same for all runs of a revision at one location. It holds their secrets. */
export interface JobContent {
  checkName: string
  /** Where it runs, as people write it: a region or the slug of a private location. The id is in the lease. */
  location: string
  /** True when the built-in agent stands in for a location without an agent of its own. */
  emulated: boolean
  /** The whole check definition with its secrets, as the revision holds it. */
  definition: Record<string, unknown>
  variables: JobVariable[]
  /** Those that the run may need, newest first; absent when there are none. */
  clientCertificates?: JobClientCertificate[] | undefined
  /** Loopback and private targets: allowed or denied for this run. Metadata and link-local are always denied. */
  egress: { privateTargets: boolean; deniedTargets: DeniedTarget[] }
  /** Address of the location's proxy for HTTP requests of API checks, its templates not filled; absent: none. */
  proxy?: string | undefined
  /** The hard limit of the run in milliseconds, from the check type. */
  timeoutMs: number
}

/** One attempt to run: everything the agent needs and nothing else. It holds only the secrets of this run. */
export interface Job extends JobContent {
  attemptId: string
  /** Signed by the server; holds check, revision, due time, location, attempt and key. Sent back with the result. */
  lease: string
  leaseExpiresAt: number
  leasedAt: number
  checkId: string
  type: CheckTypeName
  workerClass: WorkerClass
  dueAt: number
  attempt: number
}

/** Vedette's own listeners and database: no check and no notification may reach them. */
export interface DeniedTarget {
  address: string
  port: number
}

export const renewRequest = z.strictObject({
  agentId,
  leases: z.array(z.string().max(2000)).max(10_000),
  vitals: z.strictObject({
    eventLoopLagMs: z.number().min(0),
    residentMb: z.number().min(0),
    running: z.int().min(0),
    spooled: z.int().min(0),
    /** Results lost since the agent's start: for lack of space, and because they could not be read from its disk. */
    dropped: z.int().min(0).optional(),
    unreadable: z.int().min(0).optional(),
    /** True while results cannot be written to its disk. */
    spoolFailing: z.boolean().optional(),
  }),
  /** The agent's own crashes since the last renewal: their time and kind, nothing about checks or targets. */
  crashes: z
    .array(z.strictObject({ at: z.number(), code: z.string().max(100) }))
    .max(100)
    .optional(),
})
export type RenewRequest = z.infer<typeof renewRequest>
export interface RenewResponse {
  serverTime: number
  /** Attempts the server no longer wants: stop them and report nothing. */
  cancelled: string[]
}

const text = (max: number) => z.string().max(max)

/** Trouble with the target, as data. `network` is true when no answer of the protocol was received. */
export const observedError = z.strictObject({
  phase: text(50),
  code: text(100),
  text: text(2000),
  network: z.boolean(),
})
export type ObservedError = z.infer<typeof observedError>
/** Trouble of ours: the run says nothing about the target. */
export const observedInternalError = z.strictObject({ code: text(100), text: text(2000) })
export type ObservedInternalError = z.infer<typeof observedInternalError>

/** The outcome of one assertion, as agents report it and results answer it. */
export const assertionOutcomeSchema = z
  .strictObject({
    order: z.int().min(0).describe('Its position among the assertions of the check, from 0.'),
    source: text(50).describe('What was looked at.'),
    comparison: z.enum(comparisons),
    property: text(2000),
    target: text(10_000).describe('Expected value, as text.'),
    regex: text(2000).nullable(),
    passed: z.boolean(),
    actual: text(600).nullable().describe('What was found, cut to 500 characters; null when there was nothing.'),
    message: text(2000).nullable().describe('Why it failed; null when it passed.'),
  })
  .meta({ id: 'AssertionOutcome' })
export type AssertionOutcome = z.infer<typeof assertionOutcomeSchema>

/** What the pure rules conclude from an observation. */
export const verdictSchema = z.strictObject({
  outcome: z.enum(outcomes),
  degraded: z.boolean(),
  overMaxResponseTime: z.boolean(),
  assertions: z.array(assertionOutcomeSchema).max(1000),
  /** One sentence: what differs. Empty when it passed. */
  cause: text(2000),
})
export type Verdict = z.infer<typeof verdictSchema>

/** Content of a result, whoever reports it. Times are epoch milliseconds of server time. */
export const resultContent = z.strictObject({
  startedAt: z.number().nullable(),
  stoppedAt: z.number().nullable(),
  /** Milliseconds added to the agent's clock to get server time. */
  clockOffsetMs: z.number(),
  timingUncertaintyMs: z.number().min(0),
  responseMs: z.number().min(0).nullable(),
  /** Status code of the target's answer; null when there was no answer or the protocol has no such code. */
  statusCode: z.int().min(0).max(99_999).nullable(),
  verdict: verdictSchema,
  error: observedError.nullable(),
  internalError: observedInternalError.nullable(),
  /** End of the certificate's validity, epoch milliseconds. */
  certificateNotAfter: z.number().nullable(),
  metrics: z.record(text(50), z.number()),
  /** The type-specific part under the key that the contract names: `{ apiCheckResult: … }`. Already scrubbed. */
  result: z.record(text(50), z.unknown()),
  /** True when it was sent from the spool, after the server was away. */
  replayed: z.boolean(),
  /**
   * Of a run by the plan that the agent retried by itself: true when another attempt of it followed, false for the last.
   * Absent when nothing was retried, or the server is to decide that.
   */
  retried: z.boolean().optional(),
})
export type ResultContent = z.infer<typeof resultContent>

/** One result as the agent reports it. Its identity comes from the lease alone. */
export const resultReport = resultContent.extend({ lease: text(2000) })
export type ResultReport = z.infer<typeof resultReport>

export const resultsRequest = z.strictObject({ agentId, results: z.array(resultReport).min(1).max(200) })
export type ResultsRequest = z.infer<typeof resultsRequest>
/** Sent after the results are committed. Rejected ones are never retried; what is in neither list is sent again. */
export interface ResultsResponse {
  serverTime: number
  accepted: string[]
  rejected: { attemptId: string | null; reason: string }[]
}

/** Hands jobs back that were leased and not started. */
export const releaseRequest = z.strictObject({ agentId, leases: z.array(z.string().max(2000)).max(10_000) })
export type ReleaseRequest = z.infer<typeof releaseRequest>
export const goodbyeRequest = z.strictObject({ agentId })
export type GoodbyeRequest = z.infer<typeof goodbyeRequest>

import type {
  Assertion,
  AssertionOutcome,
  CheckTypeName,
  Comparison,
  CrossFieldRule,
  FormSection,
  JobVariable,
  WorkerClass,
  ObservedError,
  ObservedInternalError,
} from '@vedette/wire'
import type { ZodRawShape, ZodType } from 'zod'

export type { FormField, FormSection } from '@vedette/wire'

/** A stored definition: common fields and those of its type, complete and validated. */
export type Definition = Record<string, unknown>

/** What an assertion compares. `undefined` means the evidence has no such thing. */
export type AssertedValue = string | number | boolean | null | undefined | readonly unknown[] | Record<string, unknown>

/**
 * Where assertions of one source look. `reads` says how `property` picks from what `read` gives: it is the value itself;
 * a JSONPath into it (several values must all satisfy the comparison); or a regular expression on its text.
 */
export interface AssertionSource<Evidence> {
  comparisons: readonly Comparison[]
  reads: 'value' | 'jsonPath' | 'regex'
  /** How a form asks for `property`; absent when the source takes none. `options` are the only values it may have. */
  property?: { label: string; placeholder: string; required: boolean; options?: readonly string[] }
  /** The value is always a number, and so must be what it is compared with. */
  numeric?: true
  /** The value is a measured time. */
  timed?: true
  /** Another name of this source, read and answered as sent but not offered by forms. */
  aliasOf?: string
  /** `undefined` when the evidence has no such thing. */
  read(evidence: Evidence, property: string): AssertedValue
}

/** One number worth charting, kept for ever in roll-ups. The list of a type is append-only. */
export interface Metric<Evidence> {
  name: string
  label: string
  unit: 'ms' | 'percent' | 'count' | 'score'
  read(evidence: Evidence): number | null
}

/** How runs of a type come about: on the schedule, by an agent; or from events that arrive by themselves. */
export type CheckMode<Evidence> =
  | {
      kind: 'scheduled'
      workerClass: WorkerClass
      /** Its limits are on measured time: a run that breaks them while the agent stalls is repeated once. */
      repeatWhenStalled: boolean
      /** Abilities an agent must have. */
      needs(definition: Definition): readonly string[]
      /** Hard limit of one attempt in milliseconds. */
      timeoutMs(definition: Definition): number
    }
  | {
      kind: 'passive'
      /** What is known now, if anything is to be told, and when (epoch milliseconds) to look again without an event. */
      decide(
        events: readonly PassiveEvent[],
        nowMs: number,
        definition: Definition,
      ): { evidence: Evidence | undefined; lookAgainAt: number }
    }

export interface PassiveEvent {
  atMs: number
  source: string
}

/** What a check type is: pure values, safe to import anywhere. What it does is in `run.ts` beside it. */
export interface CheckType<Evidence> {
  type: CheckTypeName
  /** Last part of `POST /v1/checks/<path>` and name of the folder that holds `run.ts`. */
  path: string
  /** Name for people. */
  title: string
  /** Field of a result that holds the type-specific part, as the contract names it; null when there is none. */
  resultKey: string | null
  /** What that part holds, for documents and types; null when there is none. */
  resultSchema: ZodType | null
  /** Schemas of the type's own fields as they are sent, without defaults. */
  fields: ZodRawShape
  /** The same fields complete, as stored and answered. */
  storedFields: ZodRawShape
  /** What a create fills in for fields not sent. Fields without an entry are required. */
  defaults: Definition
  rules: readonly CrossFieldRule[]
  frequencies: readonly number[]
  omitsCommonFields?: readonly string[]
  /**
   * Dotted paths of strings that are encrypted at rest and answered masked. The step `[secret]` visits the items of a
   * list that have `secret: true`.
   */
  secretPaths: readonly string[]
  /** Completes nested objects of a validated definition (`request.method` and the like). */
  complete(definition: Definition): Definition
  mode: CheckMode<Evidence>
  assertions(definition: Definition): readonly Assertion[]
  assertionSources: Record<string, AssertionSource<Evidence>>
  /** The type's own reading of success before assertions: undefined passes, text is the cause of failure. */
  judge(definition: Definition, evidence: Evidence | undefined, error: ObservedError | undefined): string | undefined
  /** A function of the evidence, so that packet loss and web vitals fit as well as milliseconds. */
  thresholds(definition: Definition, evidence: Evidence): { degraded: string | undefined; exceeded: string | undefined }
  responseMs(evidence: Evidence): number | null
  metrics: readonly Metric<Evidence>[]
  /** The type-specific part of a result. Called on the agent with parts that are already scrubbed. */
  toResult(definition: Definition, outcome: ResultParts<Evidence>): Record<string, unknown>
  /** One line for lists and alerts: what is done and to whom. */
  describe(definition: Definition): { action: string; host: string }
  form: readonly FormSection[]
}

export interface ResultParts<Evidence> {
  evidence: Evidence | undefined
  error: ObservedError | undefined
  assertions: readonly AssertionOutcome[]
  /** Some text of the evidence was cut to what is kept. */
  cut: boolean
}

/** What a run saw. Target trouble is `error`, ours is `internalError`; a throw is our bug. Times are epoch milliseconds. */
export interface Observation<Evidence> {
  startedAt: number
  stoppedAt: number
  evidence?: Evidence
  certificate?: { notAfter: number }
  timingUncertaintyMs: number
  error?: ObservedError
  internalError?: ObservedInternalError
}

/** What a run may use. */
export interface RunContext {
  /** Aborts when the run is cancelled or the agent stops. */
  signal: AbortSignal
  /** Epoch milliseconds (of `clock`) at which the attempt must have ended. */
  deadline: number
  egress: EgressPolicy
  variables: readonly JobVariable[]
  clock: { now(): number }
  random(): number
}

/** Which addresses a run may reach. Metadata and link-local ranges are denied whatever it says. */
export interface EgressPolicy {
  privateTargets: boolean
  deniedTargets: readonly { address: string; port: number }[]
}

/** `run.ts` of every scheduled type exports `run: Run<Evidence>`. It only observes. */
export type Run<Evidence> = (definition: Definition, context: RunContext) => Promise<Observation<Evidence>>

/** A type whose evidence is not known here: what the registry holds. */
export type AnyCheckType = CheckType<unknown>

import type {
  Assertion,
  CheckTypeName,
  Comparison,
  CrossFieldRule,
  JobVariable,
  Lane,
  ObservedError,
  ObservedIllness,
} from '@vedette/wire'
import type { ZodRawShape } from 'zod'

/** A stored definition: common fields and those of its type, complete and validated. */
export type Definition = Record<string, unknown>

/** What an assertion compares. `undefined` means the evidence has no such thing. */
export type AssertedValue = string | number | boolean | null | undefined | readonly unknown[] | Record<string, unknown>

/** Where assertions of one source look. Several values (a JSONPath) must all satisfy the comparison. */
export interface AssertionSource<Evidence> {
  comparisons: readonly Comparison[]
  /** The label and placeholder a form shows for `property`; absent when the source takes none. */
  property?: { label: string; placeholder: string; required: boolean }
  /** Throws `AssertionProblem` when the property cannot be read as this source wants it. */
  read(evidence: Evidence, property: string): { values: readonly AssertedValue[]; several: boolean }
}

/** One number worth charting, kept for ever in roll-ups. The list of a type is append-only. */
export interface Metric<Evidence> {
  name: string
  label: string
  unit: 'ms' | 'percent' | 'count' | 'score'
  read(evidence: Evidence): number | null
}

/** A field of the form the web app renders. `path` is dotted, from the definition's root. */
export interface FormField {
  path: string
  label: string
  kind: 'text' | 'number' | 'select' | 'boolean' | 'textarea' | 'keyValues' | 'assertions' | 'basicAuth'
  help?: string
  placeholder?: string
  options?: readonly { value: string; label: string }[]
  visibleWhen?: { path: string; oneOf: readonly unknown[] }
}
export interface FormSection {
  title: string
  fields: readonly FormField[]
}

/** How runs of a type come about: on the schedule, by an agent; or from events that arrive by themselves. */
export type CheckMode<Evidence> =
  | {
      kind: 'scheduled'
      lane: Lane
      /** Abilities an agent must have. */
      needs(definition: Definition): readonly string[]
      /** Hard limit of one attempt in milliseconds. */
      capMs(definition: Definition): number
    }
  | {
      kind: 'passive'
      decide(events: readonly PassiveEvent[], nowMs: number, definition: Definition): Evidence | undefined
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
  /** Field of a result that holds the type-specific part, as the contract names it. */
  resultSlot: string
  /** Schemas of the type's own fields, without defaults. */
  fields: ZodRawShape
  /** What a create fills in for fields not sent. Fields without an entry are required. */
  defaults: Definition
  rules: readonly CrossFieldRule[]
  frequencies: readonly number[]
  omitsCommonFields?: readonly string[]
  /** Dotted paths of strings that are encrypted at rest and answered masked. */
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
  /** The type-specific part of a result. Called after scrubbing, on the agent. */
  toResult(definition: Definition, outcome: ResultParts<Evidence>): Record<string, unknown>
  /** One line for lists and alerts: what is done and to whom. */
  describe(definition: Definition): { action: string; host: string }
  form: readonly FormSection[]
}

export interface ResultParts<Evidence> {
  evidence: Evidence | undefined
  error: ObservedError | undefined
  assertions: readonly Assertion[]
}

/** What a run saw. Target trouble is `error`, ours is `illness`; a throw is our bug. Times are epoch milliseconds. */
export interface Observation<Evidence> {
  startedAt: number
  stoppedAt: number
  evidence?: Evidence
  certificate?: { notAfter: number }
  timingUncertaintyMs: number
  error?: ObservedError
  illness?: ObservedIllness
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

/** The property of an assertion cannot be used: a bad JSONPath or expression. Its message is shown to the user. */
export class AssertionProblem extends Error {}

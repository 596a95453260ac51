import type {
  Assertion,
  AssertionOutcome,
  CheckTypeName,
  CommonCheck,
  Comparison,
  CrossFieldRule,
  FormSection,
  JobVariable,
  WorkerClass,
  ObservedError,
  ObservedInternalError,
} from '@vedette/wire'
import type { ZodRawShape, ZodType } from 'zod'
import type { EventIntake, PassiveDecision, PassiveHistory } from './passive.ts'
import type { ResultSection, Unit } from './result-view.ts'

export type { FormField, FormSection } from '@vedette/wire'

/** A stored definition outside of its type's folder: common fields and those of its type, complete and validated. */
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
  unit: Unit
  read(evidence: Evidence): number | null
}

/** How results of a type come about: from runs by agents on a schedule, or from events that arrive by themselves. */
export type CheckMode<Def, Evidence> = ScheduledMode<Def> | PassiveMode<Def, Evidence>

export interface ScheduledMode<Def> {
  kind: 'scheduled'
  workerClass: WorkerClass
  /** Minutes between runs that a check may choose; 0 stands for seconds. */
  frequencies: readonly number[]
  /** Its limits are on measured time: a run that breaks them while the agent stalls is repeated once. */
  repeatWhenStalled: boolean
  /** Abilities an agent must have. */
  needs(definition: Def): readonly string[]
  /** Hard limit of one attempt in milliseconds. */
  timeoutMs(definition: Def): number
}

/** A passive type has no `run.ts`, no locations, no period, no retries and no assertions: it omits `scheduleFields`. */
export interface PassiveMode<Def, Evidence> {
  kind: 'passive'
  events: EventIntake
  /** Pure: decided again from the same history, or in several steps, the same results follow. */
  decide(history: PassiveHistory, nowMs: number, definition: Def): PassiveDecision<Evidence>
}

/** The type-specific part of results of a check type; null when they have none. */
export interface TypePart {
  /** Field of a result that holds it, as the contract names it. */
  resultKey: string | null
  /** What it holds. Agents of other versions may report more or less. */
  resultSchema: ZodType | null
}

/**
 * What a check type is: pure values, safe to import anywhere. What it does is in `run.ts` beside it. `Def` is its complete
 * definition, `Sent` the same before `complete`.
 */
export interface CheckType<Def, Evidence, Sent = Def> extends TypePart {
  type: CheckTypeName
  /** Last part of `POST /v1/checks/<path>` and name of the folder that holds `run.ts`. */
  path: string
  /** Name for people. */
  title: string
  /** Schemas of the type's own fields as they are sent, without defaults. */
  fields: ZodRawShape
  /** The same fields complete, as stored and answered. */
  storedFields: ZodRawShape
  /** What a create fills in for fields not sent. Fields without an entry are required. */
  defaults: Partial<Def>
  /** What a new form holds besides the defaults. It may be incomplete. */
  formStart: Definition
  rules: readonly CrossFieldRule<Def>[]
  omitsCommonFields?: readonly (keyof CommonCheck)[]
  /**
   * Dotted paths of strings that are encrypted at rest and answered masked. The step `[secret]` visits the items of a
   * list that have `secret: true`.
   */
  secretPaths: readonly string[]
  /** Completes nested objects of a validated definition (`request.method` and the like). */
  complete(definition: Sent): Def
  mode: CheckMode<Def, Evidence>
  /** Whether a definition can be run once before it is saved. Never for passive types. */
  dryRun: boolean
  assertions(definition: Def): readonly Assertion[]
  assertionSources: Record<string, AssertionSource<Evidence>>
  /** The type's own reading of success before assertions: undefined passes, text is the cause of failure. */
  judge(definition: Def, evidence: Evidence | undefined, error: ObservedError | undefined): string | undefined
  /** A function of the evidence, so that packet loss and web vitals fit as well as milliseconds. */
  thresholds(definition: Def, evidence: Evidence): { degraded: string | undefined; exceeded: string | undefined }
  responseMs(evidence: Evidence): number | null
  /** Status code of the answer, for alerts; null for types or runs without one. */
  statusCode(evidence: Evidence): number | null
  metrics: readonly Metric<Evidence>[]
  /** What stands under `resultKey` in a result. Called with parts that are already scrubbed. */
  toResult(definition: Def, outcome: ResultParts<Evidence>): Record<string, unknown>
  /** How that part is shown, from top to bottom. Empty when `resultKey` is null. */
  resultView: readonly ResultSection[]
  /**
   * What is looked at, as one text: a URL, a host with its port; empty when nothing is named. It is stored with the check
   * and searched. It may hold only what the definition answers in the clear.
   */
  target(definition: Def): string
  /** One line for lists and alerts: what is done and to whom. */
  describe(definition: Def): { action: string; host: string }
  form: readonly FormSection[]
}

/** A type whose definition and evidence are not known here: what the registry holds. */
export type AnyCheckType = CheckType<Definition, unknown>

/** Makes a type of its typed parts. Definitions come back from the database untyped, but they were validated. */
export const defineCheckType = <
  Def extends Definition,
  Evidence,
  Sent extends Definition = Def,
  Part extends TypePart = TypePart,
>(
  type: CheckType<Def, Evidence, Sent> & Part,
): AnyCheckType & Part => type as unknown as AnyCheckType & Part

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

/** `run.ts` of every scheduled type exports `run: Run<Definition, Evidence>`. It only observes. */
export type Run<Def, Evidence> = (definition: Def, context: RunContext) => Promise<Observation<Evidence>>

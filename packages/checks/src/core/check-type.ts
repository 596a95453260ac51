import type {
  ApiCheckDefaults,
  Assertion,
  AssertionOutcome,
  CheckTypeName,
  CommonCheck,
  Comparison,
  CrossFieldRule,
  FormSection,
  JobClientCertificate,
  JobVariable,
  WorkerClass,
  ObservedError,
  ObservedInternalError,
} from '@vedette/wire'
import type { ZodRawShape, ZodType } from 'zod'
import type { EventIntake, PassiveDecision, PassiveHistory } from './passive.ts'
import type { ResultSection, Unit } from './result-view.ts'
import type { Contact } from '../net/egress/contact.ts'
import type { RunClock } from './run-clock.ts'

export type { FormField, FormSection } from '@vedette/wire'

/** A stored definition outside of its type's folder: common fields and those of its type, complete and validated. */
export type Definition = Record<string, unknown>

/** What an assertion compares. `undefined` means the evidence has no such thing. */
export type AssertedValue = string | number | boolean | null | undefined | readonly unknown[] | Record<string, unknown>

/**
 * Where assertions of one source take their value from. `reads` says how `property` is applied to what `read` answers:
 * not at all; as a JSONPath (all values it selects must satisfy the comparison); or as a regular expression on its
 * text.
 */
export interface AssertionSource<Evidence> {
  comparisons: readonly Comparison[]
  reads: 'value' | 'jsonPath' | 'regex'
  /**
   * How a form asks for `property`; absent when the source takes none. `options` are the only values it may have;
   * `comparisons` are those of each option, where they differ.
   */
  property?: {
    label: string
    placeholder: string
    required: boolean
    options?: readonly string[]
    comparisons?: Readonly<Record<string, readonly Comparison[]>>
  }
  /** The value is always a number, and the target of the comparison must be one. */
  numeric?: true
  /** The value is a measured time. */
  timed?: true
  /** Set when this is a second name of that source: accepted and answered as sent, but not offered by forms. */
  aliasOf?: string
  /** `undefined` when the evidence has no such thing. */
  read(evidence: Evidence, property: string): AssertedValue
}

/** One number that charts show and that roll-ups keep for ever. The list of a type is append-only. */
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
  /** The type has limits on measured time: a run that exceeds them while the agent stalls is repeated once. */
  repeatWhenStalled: boolean
  /** Abilities an agent must have. */
  needs(definition: Def): readonly string[]
  /**
   * Hosts that a run may present client certificates to, `any` when only the run knows. A type without it presents
   * none.
   */
  certificateHosts?(definition: Def): readonly string[] | 'any'
  /** Hard limit of one attempt in milliseconds. */
  timeoutMs(definition: Def): number
}

/** A passive type has no `run.ts`, no locations, no period, no retries and no assertions: it omits `scheduleFields`. */
export interface PassiveMode<Def, Evidence> {
  kind: 'passive'
  events: EventIntake
  /**
   * What is waited for, whatever units it is written in: a wait goes on through a change of the check that leaves this as it
   * is.
   */
  waitsFor(definition: Def): unknown
  /** Pure: the same history leads to the same results, whether it is decided at once or in several steps. */
  decide(history: PassiveHistory, nowMs: number, definition: Def): PassiveDecision<Evidence>
}

/** The type-specific part of results of a check type; null when they have none. */
export interface TypePart {
  /** Field of a result that holds it, as the contract names it. */
  resultKey: string | null
  /** Schema of that part. Agents of other versions may report more or less. */
  resultSchema: ZodType | null
}

/**
 * A check type: pure values, safe to import anywhere. Its network code is in `run.ts` beside it. `Def` is its complete
 * definition, `Sent` the same before `complete`.
 */
export interface CheckType<Def, Evidence, Sent = Def> extends TypePart {
  type: CheckTypeName
  /** Last part of `POST /v1/checks/<path>` and name of the folder that holds `run.ts`. */
  path: string
  /** Name shown to people. */
  title: string
  /** Schemas of the type's own fields as they are sent, without defaults. */
  fields: ZodRawShape
  /** The same fields complete, as stored and answered. */
  storedFields: ZodRawShape
  /** What a create fills in for fields not sent. Fields without an entry are required. */
  defaults: Partial<Def>
  /** A whole body that creates a check, or changes one, as the API document shows it. */
  example: Partial<Sent> & { name: string }
  /** Values of a new form besides the defaults. They may be incomplete. */
  formStart: Definition
  /**
   * A definition, in part, from what a person pasted: an address, a command. Undefined when the text is nothing that this
   * type checks. Left out by types that nothing can be pasted for.
   */
  fromText?: (text: string) => PastedCheck | undefined
  rules: readonly CrossFieldRule<Def>[]
  omitsCommonFields?: readonly (keyof CommonCheck)[]
  /**
   * Dotted paths of strings that are encrypted at rest and answered masked. The step `[secret]` visits the items of a
   * list that have `secret: true`.
   */
  secretPaths: readonly string[]
  /** Completes nested objects of a validated definition (`request.method` and the like). */
  complete(definition: Sent): Def
  /**
   * The definition with what a group adds to the requests of its checks. What the check says itself wins. Left out by types
   * that groups add nothing to.
   */
  withGroupDefaults?: (definition: Def, defaults: ApiCheckDefaults) => Def
  mode: CheckMode<Def, Evidence>
  /**
   * Set by the registry for a type that is defined and has no `run.ts` yet: its checks are stored and wait, and start by
   * themselves once it has one.
   */
  awaitsRunner?: true
  /** Whether a definition can be run once before it is saved. Never for passive types. */
  dryRun: boolean
  assertions(definition: Def): readonly Assertion[]
  assertionSources: Record<string, AssertionSource<Evidence>>
  /** What passes in place of what usually does where `shouldFail` is set, as its form says. Left out by types without own words. */
  expectedFailure?: string
  /** How the type judges success, before assertions: undefined for a pass, else the cause of the failure. */
  judge(definition: Def, evidence: Evidence | undefined, error: ObservedError | undefined): string | undefined
  /**
   * Which limits are exceeded, each as text for people. It takes the evidence, because limits may be on other measures
   * than response time, such as packet loss and web vitals.
   */
  thresholds(definition: Def, evidence: Evidence): { degraded: string | undefined; exceeded: string | undefined }
  responseMs(evidence: Evidence): number | null
  /** Status code of the answer, for alerts; null for types or runs without one. */
  statusCode(evidence: Evidence): number | null
  metrics: readonly Metric<Evidence>[]
  /** Makes the value of `resultKey` in a result. The parts passed in are already scrubbed. */
  toResult(definition: Def, outcome: ResultParts<Evidence>): Record<string, unknown>
  /** How that part is shown, from top to bottom. Empty when `resultKey` is null. */
  resultView: readonly ResultSection[]
  /**
   * What is checked, as one text: a URL, or a host with its port; empty when nothing is named. It is stored with the
   * check and searched, so it may contain only what answers show unmasked.
   */
  target(definition: Def): string
  /** One line for lists and alerts: the action and the host it is directed at. */
  describe(definition: Def): { action: string; host: string }
  form: readonly FormSection[]
}

/** What a pasted text says of a check. */
export interface PastedCheck {
  /** A name for it: the host. */
  name: string
  /** Values by dotted path. */
  values: Readonly<Record<string, unknown>>
}

/** A type whose definition and evidence are not known here: what the registry holds. */
export type AnyCheckType = CheckType<Definition, unknown>

/**
 * Makes a check type from its typed parts. Definitions read from the database are untyped, but were validated before
 * they were stored.
 */
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
  /** True when a text of the evidence was cut to the length that is stored. */
  cut: boolean
}

/**
 * What a run saw. Trouble of the target is `error`, trouble of ours is `internalError`; a throw is a bug. Times are
 * epoch milliseconds.
 */
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
  /** The monotonic reading of `clock` at which the attempt must have ended. */
  deadline: number
  egress: EgressPolicy
  /** Address of the proxy for HTTP requests, its templates not filled; undefined where there is none. */
  proxy?: string | undefined
  variables: readonly JobVariable[]
  /** Newest first; absent when there are none. */
  clientCertificates?: readonly JobClientCertificate[] | undefined
  clock: RunClock
  random(): number
  /** Hears of the connections to the target that are tried. Types whose failures are not looked into tell of none. */
  tried?: ((contact: Contact) => void) | undefined
}

/** Which addresses a run may reach. Metadata and link-local ranges are denied whatever it says. */
export interface EgressPolicy {
  privateTargets: boolean
  deniedTargets: readonly { address: string; port: number }[]
}

/** `run.ts` of every scheduled type exports `run: Run<Definition, Evidence>`. It only observes. */
export type Run<Def, Evidence> = (definition: Def, context: RunContext) => Promise<Observation<Evidence>>

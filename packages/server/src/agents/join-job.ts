import { checkTypeOf, ownVariables } from '@vedette/checks'
import type { Clock, Job, JobVariable } from '@vedette/wire'
import type { Database } from '../db/database.ts'
import type { LeasedRun } from '../queue/run-queue.ts'
import type { RunRef } from '../runs.ts'
import type { DryRunJob } from '../scheduling/dry-runs.ts'
import type { Vault } from '../vault.ts'
import { AccountVariables } from './account-variables.ts'
import type { LeaseTokens } from './lease-token.ts'
import { RevisionsToRun, type RunnableRevision } from './revisions-to-run.ts'
import type { AgentKey, AgentKeyKind } from './store.ts'

export interface JobSourceOptions {
  db: Database
  vault: Vault
  clock: Clock
  tokens: LeaseTokens
  /** Which targets runs at such a location may reach. */
  egress: (kind: AgentKeyKind) => Job['egress']
  /** False once the check was deleted or deactivated. */
  isActive: (checkId: string) => boolean
  dryRunJob: (attemptId: string) => DryRunJob | undefined
}

export interface JoinedRuns {
  jobs: Job[]
  /** Their check does not run any more. */
  dropped: RunRef[]
  /** We cannot say what to run. */
  failed: { ref: RunRef; error: Error }[]
}

/** Turns references into jobs: definition and secrets of the revision, and the variables it names. */
export class JobSource {
  readonly variables: AccountVariables
  readonly #options: JobSourceOptions
  readonly #revisions: RevisionsToRun

  constructor(options: JobSourceOptions) {
    this.#options = options
    this.variables = new AccountVariables(options)
    this.#revisions = new RevisionsToRun(options)
  }

  async join(runs: readonly LeasedRun[], key: AgentKey): Promise<JoinedRuns> {
    const joined: JoinedRuns = { jobs: [], dropped: [], failed: [] }
    const wanted = runs.filter(({ ref }) => this.#isWanted(ref))
    joined.dropped = runs.filter((run) => !wanted.includes(run)).map(({ ref }) => ref)
    const saved = wanted.filter(({ ref }) => ref.source !== 'EDITOR').map(({ ref }) => ref)
    const revisions = new Map((await this.#revisions.of(saved)).map((found, at) => [saved[at]?.attemptId, found]))
    for (const run of wanted) {
      const found = revisions.get(run.ref.attemptId) ?? dryRunRevision(this.#options.dryRunJob(run.ref.attemptId))
      const job = found instanceof Error ? found : await this.#job(run, found, key)
      if (job instanceof Error) joined.failed.push({ ref: run.ref, error: job })
      else joined.jobs.push(job)
    }
    return joined
  }

  #isWanted({ source, attemptId, checkId }: RunRef): boolean {
    return source === 'EDITOR' ? this.#options.dryRunJob(attemptId) !== undefined : this.#options.isActive(checkId)
  }

  async #job(run: LeasedRun, revision: RunnableRevision, key: AgentKey): Promise<Job | Error> {
    const { ref, leasedAt, expiresAt } = run
    const mode = checkTypeOf(ref.type)?.mode
    if (mode?.kind !== 'scheduled') return new Error(`Checks of type ${ref.type} cannot be run.`)
    const variables = await this.#variables(ref.accountId, revision)
    if (variables instanceof Error) return variables
    const emulated = key.kind === 'builtin'
    return {
      attemptId: ref.attemptId,
      lease: this.#options.tokens.sign({ ...ref, emulated, leasedAt, keyId: key.id }),
      leaseExpiresAt: expiresAt,
      leasedAt,
      checkId: ref.checkId,
      checkName: revision.name,
      type: ref.type,
      workerClass: ref.workerClass,
      location: key.kind === 'private' ? key.slug : ref.location,
      emulated,
      dueAt: ref.dueAt,
      attempt: ref.attempt,
      definition: revision.definition,
      variables,
      egress: this.#options.egress(key.kind),
      timeoutMs: mode.timeoutMs(revision.definition),
    }
  }

  async #variables(accountId: string, { definition, text }: RunnableRevision): Promise<JobVariable[] | Error> {
    try {
      return await this.variables.withOwn(accountId, ownVariables(definition), (key) => text.includes(key))
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }
}

function dryRunRevision(dryRun: DryRunJob | undefined): RunnableRevision | Error {
  if (dryRun === undefined) return new Error('The dryRun is over.')
  return { ...dryRun, text: JSON.stringify(dryRun.definition) }
}

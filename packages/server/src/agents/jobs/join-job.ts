import { checkTypeOf, ownVariables, type Definition, type ScheduledMode } from '@vedette/checks'
import type { AgentKeyKind, Clock, Job } from '@vedette/wire'
import type { Database } from '../../db/database.ts'
import type { Draft, RunRef } from '../../runs.ts'
import type { Vault } from '../../vault.ts'
import { AccountCertificates } from './account-certificates.ts'
import { AccountVariables } from './account-variables.ts'
import type { WorkItem } from '../agent-work.ts'
import type { LeaseTokens } from './lease-token.ts'
import { RevisionsToRun, type RunnableRevision } from './revisions-to-run.ts'
import type { AgentKey } from '../store.ts'

export interface JobSourceOptions {
  db: Database
  vault: Vault
  clock: Clock
  tokens: LeaseTokens
  /** Which targets runs at such a location may reach. */
  egress: (kind: AgentKeyKind) => Job['egress']
}

export interface JoinedRuns {
  jobs: Job[]
  /** Runs whose job could not be prepared. */
  failed: { ref: RunRef; error: Error }[]
}

/** Turns references into jobs: definition and secrets of the revision, the variables it names, the certificates it may need. */
export class JobSource {
  readonly variables: AccountVariables
  readonly certificates: AccountCertificates
  readonly #options: JobSourceOptions
  readonly #revisions: RevisionsToRun

  constructor(options: JobSourceOptions) {
    this.#options = options
    this.variables = new AccountVariables(options)
    this.certificates = new AccountCertificates(options)
    this.#revisions = new RevisionsToRun(options)
  }

  async join(runs: readonly WorkItem[], key: AgentKey): Promise<JoinedRuns> {
    const joined: JoinedRuns = { jobs: [], failed: [] }
    const saved = runs.filter(({ draft }) => draft === undefined).map(({ ref }) => ref)
    const revisions = new Map((await this.#revisions.of(saved)).map((found, at) => [saved[at]?.attemptId, found]))
    for (const run of runs) {
      const found = run.draft ? revisionOf(run.draft) : revisions.get(run.ref.attemptId)
      const job = await this.#job(run, found ?? new Error('The revision of the run was not read.'), key)
      if (job instanceof Error) joined.failed.push({ ref: run.ref, error: job })
      else joined.jobs.push(job)
    }
    return joined
  }

  async #job(run: WorkItem, revision: RunnableRevision | Error, key: AgentKey): Promise<Job | Error> {
    if (revision instanceof Error) return revision
    const { ref, leasedAt, expiresAt } = run
    const mode = checkTypeOf(ref.type)?.mode
    if (mode?.kind !== 'scheduled') return new Error(`Checks of type ${ref.type} cannot be run.`)
    const secrets = await this.#secrets(ref.accountId, revision, mode)
    if (secrets instanceof Error) return secrets
    const emulated = key.kind === 'builtin'
    const timeoutMs = mode.timeoutMs(revision.definition)
    return {
      attemptId: ref.attemptId,
      lease: this.#options.tokens.sign({ ...ref, emulated, leasedAt, timeoutMs, keyId: key.id }),
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
      ...secrets,
      egress: this.#options.egress(key.kind),
      timeoutMs,
    }
  }

  async #secrets(
    accountId: string,
    { definition, text }: RunnableRevision,
    { certificateHosts }: Pick<ScheduledMode<Definition>, 'certificateHosts'>,
  ): Promise<Pick<Job, 'variables' | 'clientCertificates'> | Error> {
    try {
      const own = ownVariables(definition)
      const variables = await this.variables.withOwn(accountId, own, (key) => text.includes(key))
      const clientCertificates = await this.certificates.forHosts(accountId, certificateHosts?.(definition) ?? [])
      return { variables, ...(clientCertificates.length > 0 && { clientCertificates }) }
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }
}

const revisionOf = (draft: Draft): RunnableRevision => ({ ...draft, text: JSON.stringify(draft.definition) })

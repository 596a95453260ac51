import { checkTypeOf, ownVariables, runModeOf, type Definition, type ScheduledMode } from '@vedette/checks'
import { uuidOfLocation, type AgentKeyKind, type Clock, type Job, type JobContent } from '@vedette/wire'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/database.ts'
import type { Draft, RunRef } from '../../runs.ts'
import { proxyPlace } from '../../settings/location-proxy.ts'
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

/** A revision of a check at a location. */
export type ContentRef = Pick<RunRef, 'checkId' | 'accountId' | 'revision' | 'type' | 'location'>

/** Turns references into jobs: definition and secrets of the revision, the variables it names, the certificates it may need. */
export class JobSource {
  readonly variables: AccountVariables
  readonly certificates: AccountCertificates
  readonly #options: JobSourceOptions
  readonly #revisions: RevisionsToRun
  /** Opened addresses by their sealed form. */
  readonly #proxies = new LRUCache<string, string>({ max: 1000 })

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
    const { ref, leasedAt, expiresAt } = run
    const content = await this.#content(ref, revision, key)
    if (content instanceof Error) return content
    const { emulated, timeoutMs } = content
    return {
      attemptId: ref.attemptId,
      lease: this.#options.tokens.sign({ ...ref, emulated, leasedAt, timeoutMs, keyId: key.id }),
      leaseExpiresAt: expiresAt,
      leasedAt,
      checkId: ref.checkId,
      type: ref.type,
      workerClass: ref.workerClass,
      dueAt: ref.dueAt,
      attempt: ref.attempt,
      ...content,
    }
  }

  /** Changes with the variables and certificates of the account. */
  async fingerprint(accountId: string): Promise<string> {
    const parts = [this.variables.fingerprint(accountId), this.certificates.fingerprint(accountId)]
    return (await Promise.all(parts)).join()
  }

  egressOf(key: AgentKey): Job['egress'] {
    return this.#options.egress(key.kind)
  }

  /** What runs of these checks do, in order: an error for one that cannot be prepared. */
  async contents(checks: readonly ContentRef[], key: AgentKey): Promise<(JobContent | Error)[]> {
    const revisions = await this.#revisions.of(checks)
    return Promise.all(
      checks.map((ref, at) => this.#content(ref, revisions[at] ?? new Error('The revision was not read.'), key)),
    )
  }

  async #content(ref: ContentRef, revision: RunnableRevision | Error, key: AgentKey): Promise<JobContent | Error> {
    if (revision instanceof Error) return revision
    const mode = runModeOf(checkTypeOf(ref.type))
    if (mode === undefined) return new Error(`Checks of type ${ref.type} cannot be run.`)
    const proxy = this.#proxyOf(key)
    if (proxy instanceof Error) return proxy
    const secrets = await this.#secrets(ref.accountId, revision, { mode, proxy: proxy ?? '' })
    if (secrets instanceof Error) return secrets
    return {
      checkName: revision.name,
      location: key.kind === 'private' ? key.slug : ref.location,
      emulated: key.kind === 'builtin',
      definition: revision.definition,
      ...secrets,
      egress: this.egressOf(key),
      ...(proxy !== undefined && { proxy }),
      timeoutMs: mode.timeoutMs(revision.definition),
    }
  }

  /** The address of the proxy of a private location. */
  #proxyOf(key: AgentKey): string | undefined | Error {
    if (key.kind !== 'private' || key.proxy === null) return undefined
    const known = this.#proxies.get(key.proxy)
    if (known !== undefined) return known
    try {
      const proxy = this.#options.vault.open(key.proxy, proxyPlace(key.accountId, uuidOfLocation(key.location)))
      this.#proxies.set(key.proxy, proxy)
      return proxy
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  /** Variables that the definition or the address of the proxy names, and certificates of its hosts. */
  async #secrets(
    accountId: string,
    { definition, text }: RunnableRevision,
    { mode, proxy }: { mode: Pick<ScheduledMode<Definition>, 'certificateHosts'>; proxy: string },
  ): Promise<Pick<Job, 'variables' | 'clientCertificates'> | Error> {
    try {
      const own = ownVariables(definition)
      const variables = await this.variables.withOwn(accountId, own, (key) => text.includes(key) || proxy.includes(key))
      const clientCertificates = await this.certificates.forHosts(accountId, mode.certificateHosts?.(definition) ?? [])
      return { variables, ...(clientCertificates.length > 0 && { clientCertificates }) }
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }
}

const revisionOf = (draft: Draft): RunnableRevision => ({ ...draft, text: JSON.stringify(draft.definition) })

import { hash } from 'node:crypto'
import {
  sealingContext,
  staleAfterMs,
  type AgentKeyKind,
  type Clock,
  type PlanAnswer,
  type PlannedCheck,
  type PlanRequest,
  type RetryStrategy,
} from '@vedette/wire'
import { sealTo } from '@vedette/wire/sealing'
import { LRUCache } from 'lru-cache'
import { invalidField } from '../../api-error.ts'
import type { AgentWork, CheckAt } from '../agent-work.ts'
import type { JobSource } from '../jobs/join-job.ts'
import type { LeaseTokens } from '../jobs/lease-token.ts'
import type { Presence } from '../presence.ts'
import type { AgentKey } from '../store.ts'

/** A plan is sent anew at least this often, so that it never holds for much less than the time that is set. */
const renewedEveryMs = 60 * 60_000
/** An agent that has not asked for this long takes no part in dividing the slots. It asks every 30 seconds. */
const unaskedAfterMs = 90_000
/** Neither does one that was not heard at all for this long. It renews its leases every ten seconds. */
const unheardAfterMs = 30_000
const partSize = { checks: 200, characters: 4 * 1024 * 1024 }

export interface PlanDeps {
  clock: Clock
  tokens: Pick<LeaseTokens, 'signPlan'>
  jobs: Pick<JobSource, 'contents' | 'egressOf' | 'fingerprint'>
  work: Pick<AgentWork, 'scheduledAt'>
  presence: Pick<Presence, 'heardAt'>
  /** How failed runs of these checks are retried. */
  retryStrategies: (checkIds: readonly string[]) => Promise<ReadonlyMap<string, RetryStrategy | null>>
  /** How long agents of such a key keep the schedule while no server answers; 0: not at all. */
  keepMs: (kind: AgentKeyKind) => number
  log: { error(details: object, text: string): void }
}

/** A key of one location. */
type LocationKey = Exclude<AgentKey, { kind: 'builtin' }>

/** Plans for agents: what they run by themselves while no server answers. */
export class Plans {
  readonly #deps: PlanDeps
  readonly #sharers: Sharers

  constructor(deps: PlanDeps) {
    this.#deps = deps
    this.#sharers = new Sharers(deps)
  }

  /** A part of the plan; null for a key that has none. */
  async answer(key: AgentKey, request: PlanRequest): Promise<PlanAnswer | null> {
    const { keepMs, work } = this.#deps
    if (key.kind === 'builtin' || keepMs(key.kind) === 0) return null
    const checks = work.scheduledAt(key.location)
    const version = await this.#versionOf(key, checks)
    const share = this.#sharers.shareOf(key, request.agentId)
    const isFirst = request.after === undefined
    if (isFirst && request.version === version) return { version, unchanged: true, share, checks: [], next: null }
    const { after = '' } = request
    const rest = checks.filter(({ checkId }) => checkId > after)
    return { version, unchanged: false, share, ...(await this.#part(key, rest, request.publicKey)) }
  }

  /** Changes with everything that a plan holds, and once an hour. */
  async #versionOf(key: LocationKey, checks: readonly CheckAt[]): Promise<string> {
    const { clock, jobs } = this.#deps
    const accounts = [...new Set(checks.map(({ accountId }) => accountId))]
    const secrets = await Promise.all(accounts.map((account) => jobs.fingerprint(account)))
    const hour = Math.floor(clock.now() / renewedEveryMs)
    return hash('sha256', JSON.stringify([checks, secrets, key, jobs.egressOf(key), hour]))
  }

  async #part(
    key: LocationKey,
    checks: readonly CheckAt[],
    publicKey: string,
  ): Promise<Pick<PlanAnswer, 'checks' | 'next'>> {
    const seal = sealerFor(publicKey)
    const now = this.#deps.clock.now()
    const until = now + this.#deps.keepMs(key.kind)
    const wanted = checks.slice(0, partSize.checks)
    const contents = await this.#deps.jobs.contents(
      wanted.map((check) => ({ ...check, location: key.location })),
      key,
    )
    const strategies = await this.#deps.retryStrategies(wanted.map(({ checkId }) => checkId))
    const planned: PlannedCheck[] = []
    let characters = 0
    let last: CheckAt | undefined
    for (const [at, check] of wanted.entries()) {
      if (characters > partSize.characters) break
      last = check
      const content = contents[at]
      if (content === undefined || content instanceof Error) {
        this.#deps.log.error({ err: content, checkId: check.checkId }, 'A check could not be planned.')
        continue
      }
      const sealed = seal(JSON.stringify(content), sealingContext({ ...check, until }))
      characters += sealed.length
      // Nobody writes the past by it: an agent that goes by this plan runs no slot that is older.
      const from = Math.max(check.from, now - staleAfterMs)
      planned.push(
        this.#planned(
          key,
          { ...check, from },
          {
            until,
            sealed,
            timeoutMs: content.timeoutMs,
            retryStrategy: strategies.get(check.checkId) ?? null,
          },
        ),
      )
    }
    return { checks: planned, next: last === undefined || last === checks.at(-1) ? null : last.checkId }
  }

  #planned(
    key: LocationKey,
    { accountId, ...check }: CheckAt,
    { until, sealed, timeoutMs, retryStrategy }: Sealed,
  ): PlannedCheck {
    const { location } = key
    const token = this.#deps.tokens.signPlan({ ...check, accountId, location, until, timeoutMs, keyId: key.id })
    return { ...check, location, until, retryStrategy, token, sealed }
  }
}

/** What the plan adds to a check of the schedule. */
interface Sealed extends Pick<PlannedCheck, 'until' | 'sealed'> {
  timeoutMs: number
  retryStrategy: RetryStrategy | null
}

function sealerFor(publicKey: string): ReturnType<typeof sealTo> {
  try {
    return sealTo(publicKey)
  } catch {
    throw invalidField('publicKey', 'must be an X25519 key, 32 bytes as base64url')
  }
}

interface Asked {
  key: LocationKey
  /** Monotonic time. */
  at: number
}

/** The agents that ask for the plan of a location divide its slots among them. */
class Sharers {
  readonly #deps: Pick<PlanDeps, 'clock' | 'presence'>
  /** The last request, by location and agent. Bounds what hostile agents can fill with made-up ids. */
  readonly #asked = new LRUCache<string, LRUCache<string, Asked>>({ max: 5000 })

  constructor(deps: Pick<PlanDeps, 'clock' | 'presence'>) {
    this.#deps = deps
  }

  shareOf(key: LocationKey, agentId: string): PlanAnswer['share'] {
    const asked = this.#asked.get(key.location) ?? new LRUCache<string, Asked>({ max: 1000 })
    this.#asked.set(key.location, asked)
    asked.set(agentId, { key, at: this.#deps.clock.monotonic() })
    const agents = [...asked.entries()].filter(([id, last]) => id === agentId || this.#isThere(id, last))
    const ids = agents.map(([id]) => id).sort()
    return { index: ids.indexOf(agentId), of: ids.length }
  }

  /** What an agent that ended would take would be run by nobody, once no server can tell the others. */
  #isThere(agentId: string, { key, at }: Asked): boolean {
    const now = this.#deps.clock.monotonic()
    const heardAt = this.#deps.presence.heardAt(key, agentId) ?? -Infinity
    return now - at < unaskedAfterMs && now - heardAt < unheardAfterMs
  }
}

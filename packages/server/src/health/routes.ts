import { healthResponse, isoTime, type Clock, type Health } from '@vedette/wire'
import { operatorAccount } from '../access/credential-store.ts'
import { unavailable } from '../api-error.ts'
import type { Database } from '../db/database.ts'
import type { Trouble } from '../trouble.ts'
import type { App } from '../http/build-http.ts'
import type { Principal } from '../http/callers/principal.ts'
import type { HealthLook } from './health-watch.ts'
import { knownHealth, type KnownHealth } from './signal/known-health.ts'
import type { SharedSignal } from './signal/shared-signal.ts'
import { isReady } from './troubles/troubles.ts'
import { within } from './within.ts'

export interface HealthRouteOptions {
  db: Database
  clock: Clock
  /** The last look of this process. */
  health: () => HealthLook | undefined
  signal: Pick<SharedSignal, 'leader' | 'host'>
}

/** The installation's own health, for people who are signed in. */
export function healthRoutes(app: App, options: HealthRouteOptions): void {
  const { health, signal } = options
  const isOperator = operators(options)
  app.get(
    '/v1/health',
    {
      config: { access: 'read', errors: [503] },
      schema: {
        tags: ['Health'],
        summary: 'Read the health of Vedette itself',
        description: 'Whether everything can be watched and notified of, what is wrong, and since when.',
        response: { 200: healthResponse },
      },
    },
    async ({ principal }) => {
      const look = health()
      if (look === undefined) throw unavailable('The health of Vedette is not known at this moment.', 5)
      return answerFor(
        principal.accountId,
        await isOperator(principal),
        knownHealth(look, signal.leader(), signal.host),
      )
    },
  )
}

const answerMs = 2_000

/** Whether the caller operates the installation; without the database, as far as it was known before. */
function operators({ db, clock }: Pick<HealthRouteOptions, 'db' | 'clock'>) {
  let known: string | undefined
  return async ({ role, accountId }: Principal): Promise<boolean> => {
    if (role !== 'admin') return false
    try {
      known = await within(clock, answerMs, 'Reading the operator', operatorAccount(db))
    } catch {
      // Then the account of the last answer counts: who operates an installation is set at its first start.
    }
    return known === accountId
  }
}

function answerFor(account: string, isOperator: boolean, known: KnownHealth): Health {
  const isOwn = ({ accountId }: { accountId: string | null }) => accountId === null || accountId === account
  const locations = known.locations.filter(isOwn)
  return {
    ready: isReady(known.troubles),
    role: known.role,
    leader: isOperator ? known.leader : null,
    lookedAt: isoTime(known.lookedAt),
    troubles: known.troubles.filter(isOwn).map((trouble) => toTrouble(trouble, isOperator)),
    facts: {
      ...known.figures,
      agentsOnline: locations
        .filter(({ accountId }) => isOperator || accountId !== null)
        .map(({ name, agents }) => ({ location: name, agents })),
      openGaps: locations.filter(({ isLeftOut }) => isLeftOut).map(({ name }) => name),
    },
  }
}

const toTrouble = (trouble: Trouble, isOperator: boolean): Health['troubles'][number] => {
  const { code, severity, subject, title, text, advice, since } = trouble
  return {
    code,
    severity,
    subject,
    title,
    text,
    advice,
    reason: (isOperator && trouble.reason) || null,
    since: isoTime(since),
  }
}

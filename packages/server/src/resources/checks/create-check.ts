import { randomUUID } from 'node:crypto'
import { completeDefinition, type AnyCheckType } from '@vedette/checks'
import type { FastifyRequest } from 'fastify'
import { audit } from '../../http/audit.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { initialState } from '../../ingest/index.ts'
import { readLocationSlugs } from '../../locations/location-param.ts'
import { resolveCheck } from '../../settings/resolve-check.ts'
import { lockAccountSettings } from '../../settings/store.ts'
import { announce } from './announce.ts'
import { notRunnableReason } from './not-runnable.ts'
import { sealDefinition } from './sealed-definition.ts'
import { withIds } from './shown-locations.ts'
import { insertCheck } from './store.ts'
import { replaceSubscriptions, subscribeToChannels, type CheckSubscription } from './subscription-store.ts'
import { validateDefinition } from './validate-definition.ts'

interface NewCheck {
  type: AnyCheckType
  /** The body, as it passed the create schema. */
  sent: Record<string, unknown>
  /** Subscribe it to every channel the account has. */
  autoAssignAlerts: boolean
}

/** Stores a new check and answers its id. It runs once at once. */
export async function createCheck(
  { db, vault, clock, hooks }: ApiDeps,
  request: FastifyRequest,
  { type, sent, autoAssignAlerts }: NewCheck,
): Promise<string> {
  const account = request.principal.accountId
  const id = randomUUID()
  const whole = completeDefinition(type, sent, id)
  const { alertChannelSubscriptions, ...shown } = whole
  const notRunnable = notRunnableReason(type, shown)
  await db.transaction(async (client) => {
    const settings = await lockAccountSettings(client, account)
    const slugs = await readLocationSlugs(client, account)
    await validateDefinition(client, { account, slugs, keptLocations: [] }, type, whole)
    const definition = withIds(shown, slugs, [])
    const content = {
      account,
      id,
      type: type.type,
      ...sealDefinition(vault, { account, checkId: id }, type, definition),
      effective: resolveCheck(definition, undefined, settings),
      offsetSent: sent.frequencyOffset !== undefined,
      notRunnable,
      at: new Date(clock.now()),
    }
    await insertCheck(client, content, initialState())
    const of = { account, checkId: id }
    await replaceSubscriptions(client, of, (alertChannelSubscriptions as CheckSubscription[] | undefined) ?? [])
    await subscribeToChannels(client, of, autoAssignAlerts ? 'all' : 'autoSubscribe')
    await audit(client, request, { action: 'create', resource: 'checks', id }, clock.now())
  })
  const runNow = shown.activated === true && notRunnable === null
  await announce(hooks, request, id, { change: 'created', runNow })
  return id
}

import { completeAlertSettings } from '@vedette/wire'
import { expect } from 'vitest'
import type { History } from '../packages/server/test-support/simulator/history.ts'
import type { SimCheck } from '../packages/server/test-support/simulator/sim-checks.ts'
import type { Product } from './product.ts'
import type { Delivery } from './receiver.ts'
import type { Health } from './target.ts'

/** Checks of one kind: what they are created with, and how their targets fare. */
export interface Kind {
  name: string
  count: number
  body: Record<string, unknown>
  /** Health at `seconds` after the start; `nth` is the number of the check. */
  health: (seconds: number, nth: number) => Health
}

/** Down for half of every 44 seconds, shifted for each check. */
export const comesAndGoes =
  (down: Health) =>
  (seconds: number, nth: number): Health =>
    (seconds + 7 * nth) % 44 < 22 ? down : 'up'

/** The health of the target that a check of `createChecks` asks for at `path`. */
export function healthAt(kinds: readonly Kind[], path: string, seconds: number): Health {
  const [, name, nth] = path.split('/')
  return kinds.find((kind) => kind.name === name)?.health(seconds, Number(nth)) ?? 'up'
}

export interface NamedCheck extends SimCheck {
  kind: string
}

/** Creates the checks of all kinds, each every 10 s. `place` says through which server and where the nth of a kind runs. */
export async function createChecks(
  kinds: readonly Kind[],
  url: string,
  place: (kind: Kind, nth: number) => { product: Product; locations: readonly string[] },
): Promise<NamedCheck[]> {
  const checks: NamedCheck[] = []
  for (const kind of kinds) {
    for (let nth = 0; nth < kind.count; nth++) checks.push(await createCheck(kind, nth, url, place(kind, nth)))
  }
  return checks
}

async function createCheck(
  { name, body }: Kind,
  nth: number,
  url: string,
  { product, locations }: { product: Product; locations: readonly string[] },
): Promise<NamedCheck> {
  const timing = { frequency: 0, frequencyOffset: 10 }
  const made = await product.api<{ id: string; created_at: string; locations: string[] }>('POST', '/v1/checks/api', {
    name: `${name} ${nth}`,
    ...timing,
    locations,
    request: { url: `${url}/${name}/${nth}` },
    ...body,
  })
  expect(made.status).toBe(201)
  return {
    kind: name,
    id: made.body.id,
    accountId: product.accountId,
    ...timing,
    locations: made.body.locations,
    runParallel: body['runParallel'] === true,
    muted: false,
    settings: completeAlertSettings({}),
    createdAt: Date.parse(made.body.created_at),
    parents: [],
  }
}

/** An entry of GET /v1/check-statuses. */
export interface Status {
  checkId: string
  name: string
  state: string
  lastCheckRunId: string | null
}

export async function everyStatus(product: Product, test: (status: Status) => boolean): Promise<boolean> {
  const { body } = await product.api<Status[]>('GET', '/v1/check-statuses')
  return body.length > 0 && body.every(test)
}

/** Deliveries in the form the invariants use. A message names its notification, and the ledger gives the alert. */
export function inboxOf(deliveries: readonly Delivery[], { notifications, alerts }: History) {
  const alertOf = new Map(notifications.map(({ id, alertId }) => [id, alertId]))
  const typeOf = new Map(alerts.map(({ id, type }) => [id, type]))
  return deliveries.map(({ headers, body }) => {
    const notificationId = String(headers['webhook-id'])
    const alertId = alertOf.get(notificationId) ?? 'of no notification'
    return {
      notificationId,
      alertId,
      checkId: String(body['CHECK_ID']),
      alertType: typeOf.get(alertId) ?? '',
      attempt: Number(headers['x-service-delivery-attempt']),
    }
  })
}

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolveSettings } from './database.ts'
import { initialState } from '../src/ingest/index.ts'
import type { Database } from '../src/db/database.ts'
import type { Vault } from '../src/vault.ts'
import { channelKindOf } from '../src/alerting/channels/index.ts'
import { sealConfig } from '../src/alerting/channels/sealed-config.ts'
import { alertIdOf, type NewAlert } from '../src/alerting/notifications/new-alert.ts'

/** Inserts a check of the account with the columns alerts need. */
export async function givenCheckRow(db: Database, accountId: string): Promise<string> {
  const id = randomUUID()
  await db.pool.query(
    `INSERT INTO checks (id, account_id, type, name, activated, tags, definition, effective, secrets, offset_sent,
       revision, version, created_at) VALUES ($1, $2, 'API', 'Shop', true, '{}', '{}', '{}', '{}', false, 1, 1, now())`,
    [id, accountId],
  )
  await resolveSettings(db, accountId)
  await db.pool.query(
    `INSERT INTO check_status (check_id, account_id, state, alert_state, created_at) VALUES ($1, $2, 'pending', $3, now())`,
    [id, accountId, JSON.stringify(initialState())],
  )
  return id
}

export interface GivenChannel {
  type?: string
  config: Record<string, unknown>
  flags?: { failure?: boolean; recovery?: boolean; degraded?: boolean }
  /** Threshold in days for notifications of certificates. */
  sslDays?: number
}

/** A channel with the check subscribed to it. */
export async function givenChannel(
  { db, vault }: { db: Database; vault: Vault },
  { accountId, checkId }: { accountId: string; checkId: string },
  { type = 'WEBHOOK', config, flags = {}, sslDays }: GivenChannel,
): Promise<number> {
  const kind = channelKindOf(type)
  if (!kind) throw new Error(`No channel kind ${type}`)
  const { rows } = await db.pool.query<{ id: number }>(
    `INSERT INTO alert_channels (account_id, type, config, secrets, send_recovery, send_failure, send_degraded,
       ssl_expiry, ssl_expiry_threshold, auto_subscribe, version, created_at)
     VALUES ($1, $2, '{}', '{}', $3, $4, $5, $6, $7, false, 1, now()) RETURNING id`,
    [
      accountId,
      type,
      flags.recovery ?? true,
      flags.failure ?? true,
      flags.degraded ?? false,
      sslDays !== undefined,
      sslDays ?? 30,
    ],
  )
  const id = rows[0]?.id ?? 0
  const sealed = sealConfig(vault, { account: accountId, channelId: id }, kind, kind.complete(config))
  await db.pool.query('UPDATE alert_channels SET config = $2, secrets = $3 WHERE id = $1', [
    id,
    JSON.stringify(sealed.config),
    JSON.stringify(sealed.secrets),
  ])
  await db.pool.query(
    'INSERT INTO alert_subscriptions (account_id, channel_id, check_id, activated) VALUES ($1, $2, $3, true)',
    [accountId, id, checkId],
  )
  return id
}

type Of = { accountId: string; checkId: string } & Partial<NewAlert>

/** An alert of a check that failed a moment before `decidedAt`. */
export function anAlert({ decidedAt = Date.now(), alertType = 'ALERT_FAILURE', ...more }: Of): NewAlert {
  const resultId = more.resultId ?? randomUUID()
  const isRecovery = alertType.endsWith('RECOVERY')
  return {
    id: alertIdOf(resultId, alertType, more.reminder ?? 0),
    checkName: 'Shop "front"',
    checkType: 'API',
    alertType,
    resultId,
    resultDueAt: decidedAt - 300,
    revision: 1,
    location: 'eu-central-1',
    responseMs: 123.4,
    cause: isRecovery ? null : 'Expected status 200, got 503',
    statusCode: isRecovery ? 200 : 503,
    startedAt: decidedAt - 250,
    finishedAt: decidedAt - 50,
    decidedAt,
    reminder: 0,
    muted: false,
    tags: ['team:shop', 'prod'],
    lastPassAt: decidedAt - 60_000,
    stateSince: decidedAt - 300,
    description: 'The front door',
    ...more,
  }
}

export interface Delivery {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

export interface Receiver {
  base: string
  port: number
  deliveries: Delivery[]
  /** Resolves when that many deliveries came in. */
  received(count: number): Promise<Delivery[]>
  close(): Promise<void>
}

/** A real HTTP server that records requests and answers as configured; 200 by default. */
export async function openReceiver(
  answer: (response: ServerResponse, delivery: Delivery, number: number) => void = (response) =>
    void response.end('ok'),
): Promise<Receiver> {
  const deliveries: Delivery[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const delivery = { method, url, headers, body: Buffer.concat(parts).toString('utf8') }
      deliveries.push(delivery)
      answer(response, delivery, deliveries.length)
      for (const { count, resolve } of waiting) if (deliveries.length >= count) resolve()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    base: `http://127.0.0.1:${port}`,
    port,
    deliveries,
    async received(count) {
      if (deliveries.length < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }))
      return deliveries
    },
    close() {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

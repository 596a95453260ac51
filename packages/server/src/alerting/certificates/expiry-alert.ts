import { checkTypeOf } from '@vedette/checks'
import { certificateAlertIdOf, type NewAlert } from '../notifications/new-alert.ts'
import type { ExpiringRow } from './certificate-store.ts'
import { expiryCause } from './expiry-wording.ts'

/** The alert that a certificate ends. Its id follows from check, certificate and threshold, so that it is sent once. */
export function expiryAlert(row: ExpiringRow, nowMs: number): NewAlert {
  const certificate = { host: hostOf(row), notAfter: row.not_after.getTime(), threshold: row.threshold }
  return {
    id: certificateAlertIdOf(row.check_id, certificate),
    accountId: row.account_id,
    checkId: row.check_id,
    checkName: row.name,
    checkType: row.type,
    alertType: 'ALERT_SSL',
    resultId: row.result_id,
    resultDueAt: row.result_due_at.getTime(),
    revision: row.revision,
    location: row.location,
    responseMs: null,
    cause: expiryCause(certificate, nowMs),
    statusCode: null,
    startedAt: row.started_at?.getTime() ?? null,
    finishedAt: row.stopped_at?.getTime() ?? null,
    decidedAt: nowMs,
    reminder: 0,
    muted: false,
    tags: row.tags,
    lastPassAt: null,
    stateSince: null,
    description: row.description,
    groupName: row.group_name,
    certificate,
  }
}

/** The host that the last run reached: the definition may be a template, may redirect, or may have changed since. */
function hostOf({ href, url, type, definition, name }: ExpiringRow): string {
  const reached = [href, url].map((address) =>
    address !== null && URL.canParse(address) ? new URL(address) : undefined,
  )
  const host = reached.find((address) => address && address.hostname !== '')?.hostname
  return host ?? checkTypeOf(type)?.describe(definition).host ?? name
}

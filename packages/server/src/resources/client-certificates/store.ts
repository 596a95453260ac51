import type { ClientCertificate } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { ClientCertificatesRow } from '../../db/rows.ts'
import type { ReadCertificate } from './read-certificate.ts'

const columns = ['id', 'host', 'cert', 'ca', 'created_at', 'subject', 'expires_at'] as const
const columnList = columns.join(', ')
type CertificateRow = Pick<ClientCertificatesRow, (typeof columns)[number]>

const toCertificate = ({ created_at, expires_at, ...row }: CertificateRow): ClientCertificate => ({
  ...row,
  created_at: created_at.toISOString(),
  expiresAt: expires_at.toISOString(),
})

/** Newest first. */
export async function listCertificates(client: Queryable, account: string): Promise<ClientCertificate[]> {
  const { rows } = await client.query<CertificateRow>(
    `SELECT ${columnList} FROM client_certificates WHERE account_id = $1 AND deleted_at IS NULL
     ORDER BY created_at DESC, seq DESC`,
    [account],
  )
  return rows.map(toCertificate)
}

export async function countCertificates(client: Queryable, account: string): Promise<number> {
  const { rows } = await client.query<{ total: number }>(
    'SELECT count(*)::int AS total FROM client_certificates WHERE account_id = $1 AND deleted_at IS NULL',
    [account],
  )
  return rows[0]?.total ?? 0
}

export async function readStored(
  client: Queryable,
  account: string,
  id: string,
  lock = false,
): Promise<ClientCertificate | undefined> {
  const { rows } = await client.query<CertificateRow>(
    `SELECT ${columnList} FROM client_certificates
     WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL ${lock ? 'FOR UPDATE' : ''}`,
    [account, id],
  )
  return rows[0] && toCertificate(rows[0])
}

/** `key` is sealed. */
export async function insertCertificate(
  client: Queryable,
  account: string,
  { id, host, cert, ca, key, subject, expiresAt, at }: ReadCertificate & { id: string; at: Date },
): Promise<ClientCertificate> {
  const { rows } = await client.query<CertificateRow>(
    `INSERT INTO client_certificates (id, account_id, host, cert, ca, key, subject, expires_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${columnList}`,
    [id, account, host, cert, ca, key, subject, expiresAt, at],
  )
  if (!rows[0]) throw new Error('INSERT returned no row')
  return toCertificate(rows[0])
}

/** Its sealed key stays while it can be restored. */
export async function softDeleteCertificate(client: Queryable, account: string, id: string, at: Date): Promise<void> {
  await client.query('UPDATE client_certificates SET deleted_at = $3 WHERE account_id = $1 AND id = $2', [
    account,
    id,
    at,
  ])
}

/** Brings back a certificate that was deleted since then. Undefined when there is none. */
export async function restoreStored(
  client: Queryable,
  account: string,
  { id, since }: { id: string; since: Date },
): Promise<ClientCertificate | undefined> {
  const { rows } = await client.query<CertificateRow>(
    `UPDATE client_certificates SET deleted_at = NULL
     WHERE account_id = $1 AND id = $2 AND deleted_at > $3 RETURNING ${columnList}`,
    [account, id, since],
  )
  return rows[0] && toCertificate(rows[0])
}

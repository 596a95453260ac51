import type { Queryable } from '../db/database.ts'
import type { ClientCertificatesRow } from '../db/rows.ts'
import type { SecretPlace, Vault } from '../vault.ts'

/** A client certificate of an account with its key sealed. */
export type CertificateRow = Pick<ClientCertificatesRow, 'id' | 'host' | 'cert' | 'ca' | 'key'>

/** Newest first. */
export async function readClientCertificates(client: Queryable, account: string): Promise<CertificateRow[]> {
  const { rows } = await client.query<CertificateRow>(
    `SELECT id, host, cert, ca, key FROM client_certificates WHERE account_id = $1 AND deleted_at IS NULL
     ORDER BY created_at DESC, seq DESC`,
    [account],
  )
  return rows
}

export const certificatePlace = (account: string, id: string): SecretPlace => ({
  account,
  table: 'client_certificates',
  row: id,
  field: 'key',
})

export const openCertificateKey = (vault: Vault, account: string, { id, key }: Pick<CertificateRow, 'id' | 'key'>) =>
  vault.open(key, certificatePlace(account, id))

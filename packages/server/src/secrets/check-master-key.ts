import type { Database } from '../db/database.ts'
import { StartRefused } from '../start-refused.ts'
import { openKeyCheck, readKeyChange, readKeyCheck, storeFirstKeyCheck } from './master-key-store.ts'
import { sealedBy, type KeyedVault } from './vault.ts'

/** Throws `StartRefused` when the database was made with another master key, or a change of the key is unfinished. */
export async function verifyMasterKey(db: Database, vault: KeyedVault): Promise<void> {
  await storeFirstKeyCheck(db.pool, vault)
  if ((await readKeyChange(db.pool)) !== undefined) {
    throw new StartRefused(
      'A change of the master key was begun and not finished, so some secrets have the new key and some the old. ' +
        'Run the same re-key command again; it goes on where it stopped.',
    )
  }
  const sealed = (await readKeyCheck(db.pool)) as string
  if (sealedBy(sealed) !== vault.keyId) {
    throw new StartRefused(
      `The master key is not the one of this database: its secrets belong to key ${sealedBy(sealed)}, this is key ${vault.keyId}. ` +
        'Set VEDETTE_MASTER_KEY to that key, or put its file master.key back into the data directory.',
    )
  }
  openKeyCheck(vault, sealed)
}

import { openVault } from '../src/secrets/vault.ts'

/** The vault of all tests. Its key is always the same, so that a failure repeats. */
export const testVault = openVault({ current: Buffer.alloc(32, 7) })

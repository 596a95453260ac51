import { openVault } from '../src/secrets/vault.ts'

/** The vault of all tests, with a fixed key, so that failures can be repeated. */
export const testVault = openVault({ current: Buffer.alloc(32, 7) })

import { createScrubber } from '@vedette/checks/net'

/** Bytes of a response that the ledger stores. */
export const ledgerBytes = 256

/** The part of a response for the ledger. Secrets are removed before it is cut, so that no part of one stays. */
export function ledgerText(response: string, secrets: readonly string[]): string {
  const clean = createScrubber(secrets.filter((secret) => secret !== ''))
    .text(response)
    .replaceAll('\0', '\ufffd')
  const bytes = Buffer.from(clean, 'utf8')
  if (bytes.length <= ledgerBytes) return clean
  // Cutting may split a character; its half decodes to one replacement character, which is removed.
  return bytes
    .subarray(0, ledgerBytes)
    .toString('utf8')
    .replace(/\ufffd$/u, '')
}

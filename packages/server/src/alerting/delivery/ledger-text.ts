import { createScrubber } from '@vedette/checks/net'

/** How much of a response the ledger keeps. */
export const ledgerBytes = 256

/** What the ledger keeps of a response: secrets gone, then cut, so that no half of a secret stays at the edge. */
export function ledgerText(response: string, secrets: readonly string[]): string {
  const clean = createScrubber(secrets.filter((secret) => secret !== ''))
    .text(response)
    .replaceAll('\0', '\ufffd')
  const bytes = Buffer.from(clean, 'utf8')
  if (bytes.length <= ledgerBytes) return clean
  // Cutting may split a character; its half decodes to one replacement character, which goes.
  return bytes
    .subarray(0, ledgerBytes)
    .toString('utf8')
    .replace(/\ufffd$/u, '')
}

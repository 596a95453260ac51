/**
 * A host in the one form the rest of the code uses: lower-case ASCII, IPv6 without brackets, and decimal, octal or
 * hexadecimal spellings of IPv4 as dotted quads. Undefined when the text is no host.
 */
export function normaliseHost(host: string): string | undefined {
  const text = host.trim()
  if (text === '' || /[\s/?#@\\]/.test(text)) return undefined
  const bare = text.includes(':') && !/^\[.*\]$/.test(text) ? `[${text}]` : text
  if (!URL.canParse(`http://${bare}`)) return undefined
  return stripBrackets(new URL(`http://${bare}`).hostname)
}

/** The host of a parsed URL, IPv6 without brackets. */
export const stripBrackets = (hostname: string): string => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname)

/** The port of a parsed URL. A written port 0 is kept and does not mean the default port. */
export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)

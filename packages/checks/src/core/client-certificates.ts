import type { JobClientCertificate } from '@vedette/wire'

const bare = (host: string): string => host.toLowerCase().replace(/\.$/, '')

/** Whether a host is the one of a pattern; `*` stands for any characters, dots included. Linear in both. */
export function isHostOf(pattern: string, host: string): boolean {
  const [first = '', ...rest] = bare(pattern).split('*')
  const name = bare(host)
  const last = rest.pop()
  if (last === undefined) return name === first
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return name.length - at >= last.length && name.endsWith(last)
}

/** The certificate to present to a host: of those named for it alone the first, otherwise of those with wildcards. */
export function certificateFor<Certificate extends Pick<JobClientCertificate, 'host'>>(
  host: string,
  newestFirst: readonly Certificate[],
): Certificate | undefined {
  return (
    newestFirst.find((certificate) => !certificate.host.includes('*') && isHostOf(certificate.host, host)) ??
    newestFirst.find((certificate) => isHostOf(certificate.host, host))
  )
}

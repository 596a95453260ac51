import type { HttpExchange } from './http-exchange.ts'

/** Hosts that a request may show a client certificate to. With templates and redirects only its run knows. */
export function certificateHosts({
  url,
  followRedirects,
}: Pick<HttpExchange, 'url' | 'followRedirects'>): readonly string[] | 'any' {
  if (followRedirects || url.includes('{{') || !URL.canParse(url)) return 'any'
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' ? [hostname] : []
}

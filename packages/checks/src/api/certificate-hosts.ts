import type { ApiRequest } from './request-shape.ts'

/** Hosts that a request may show a client certificate to. With templates and redirects only its run knows. */
export function certificateHosts({ url, followRedirects }: ApiRequest): readonly string[] | 'any' {
  if (followRedirects || url.includes('{{') || !URL.canParse(url)) return 'any'
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' ? [hostname] : []
}

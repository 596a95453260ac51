/** A host with a dot, a port or brackets, or localhost; then a port and a path, a query or a fragment. */
const withoutScheme = /^(\[[0-9a-f:.]+\]|[^\s:/?#@\\]+)(?::(\d{1,5}))?(?=[/?#]|$)/i

const ownMachine = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])\.?$/i
const privateAddress =
  /^(?:10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|\[f[cd][0-9a-f]{2}:[0-9a-f:.]*\])$/i

/**
 * An address as people write it, with its scheme: `http` for this machine and for addresses of private networks, which
 * rarely have certificates, and `https` for everything else. What has a scheme, begins with a template or is no address
 * stays as it is.
 */
export function completeUrl(sent: string): string {
  const url = sent.trim()
  if (url.startsWith('{{')) return url
  const [, host, port] = withoutScheme.exec(url) ?? []
  if (host === undefined || !(/[.[]/.test(host) || port !== undefined || ownMachine.test(host))) return url
  return `${ownMachine.test(host) || privateAddress.test(host) ? 'http' : 'https'}://${url}`
}

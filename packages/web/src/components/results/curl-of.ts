interface Sent {
  method: string
  url: string
  headers?: Record<string, unknown>
  data?: unknown
}

const isSent = (value: unknown): value is Sent =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<Sent>).url === 'string' &&
  typeof (value as Partial<Sent>).method === 'string'

/** curl sets them by itself, and right ones. */
const ownHeaders = new Set(['host', 'content-length', 'connection', 'accept-encoding'])

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The HTTP request of a result as a command for a shell; undefined when it was no HTTP request. */
export function curlOf(request: unknown): string | undefined {
  if (!isSent(request)) return undefined
  const { method, url, headers = {}, data } = request
  const lines = [
    `curl ${quoted(url)}`,
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...Object.entries(headers)
      .filter(([name]) => !ownHeaders.has(name.toLowerCase()))
      .map(([name, value]) => `-H ${quoted(`${name}: ${String(value)}`)}`),
    ...(typeof data === 'string' && data !== '' ? [`--data-raw ${quoted(data)}`] : []),
  ]
  return lines.join(' \\\n  ')
}

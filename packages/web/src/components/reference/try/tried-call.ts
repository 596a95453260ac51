import { send } from '../../../api/client.ts'

/** The answer to a call that was tried. */
export interface Tried {
  status: number
  statusText: string
  /** Milliseconds until the last byte. */
  ms: number
  headers: Record<string, string>
  text: string
}

/** Headers that tell something about the call; the others are the same for every answer. */
const telling = ['content-type', 'content-range', 'etag', 'link', 'location', 'retry-after', 'x-request-id']

/** Makes a call in the session of this browser and reads the whole answer. */
export async function tryCall(method: string, address: string, body: string | undefined): Promise<Tried> {
  const start = performance.now()
  const response = await send(method, address, body)
  const text = await response.text()
  const headers = [...response.headers].filter(([name]) => telling.includes(name) || name.startsWith('ratelimit'))
  return {
    status: response.status,
    statusText: response.statusText,
    ms: performance.now() - start,
    headers: Object.fromEntries(headers),
    text,
  }
}

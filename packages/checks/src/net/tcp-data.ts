import type { Socket } from 'node:net'
import type { Deadline } from './deadline.ts'
import { withoutNul } from './http/http-text.ts'
import { codeOf, formatEndpoint, formatLimit, TargetError } from './target-error.ts'

/** What a peer sent after connecting. `error` when it sent nothing usable. */
export interface DataReceived {
  text: string
  truncated: boolean
  /** From connecting to the last byte, in milliseconds. */
  tookMs: number
  error: TargetError | undefined
}

/** Most bytes kept of an answer. */
const dataLimitBytes = 64 * 1024
/** An answer is complete when nothing follows for this long: most protocols keep the connection open. */
const quietMs = 1000

/**
 * Sends `data` (if any) and reads until the peer closes, stops sending, fills the limit, or time is up. When time is
 * up, received bytes are the answer; without any it is an error.
 */
export async function exchangeData(
  socket: Socket,
  data: string,
  peer: { host: string; port: number },
  deadline: Deadline,
): Promise<DataReceived> {
  const startedAt = performance.now()
  const chunks: Buffer[] = []
  let bytes = 0
  let lastAt = startedAt
  let quiet: NodeJS.Timeout | undefined
  let error: TargetError | undefined
  try {
    await deadline.during<void>({
      start(succeed, fail) {
        socket.on('data', (chunk: Buffer) => {
          lastAt = performance.now()
          chunks.push(chunk)
          bytes += chunk.length
          clearTimeout(quiet)
          if (bytes > dataLimitBytes) succeed()
          else quiet = setTimeout(() => succeed(), quietMs)
        })
        socket.once('end', () => succeed())
        socket.once('error', (lost) => fail(lostTrouble(lost, peer)))
        if (data !== '') socket.write(data)
      },
      stop: () => socket.destroy(),
      timedOut: () => silence(peer, deadline),
    })
  } catch (thrown) {
    if (!(thrown instanceof TargetError)) throw thrown
    if (bytes === 0 || thrown.code !== 'ETIMEDOUT') error = thrown
  } finally {
    clearTimeout(quiet)
    socket.destroy()
  }
  const text = withoutNul(Buffer.concat(chunks).subarray(0, dataLimitBytes).toString('utf8'))
  return { text, truncated: bytes > dataLimitBytes, tookMs: lastAt - startedAt, error }
}

const silence = ({ host, port }: { host: string; port: number }, { limitMs }: Deadline): TargetError =>
  new TargetError(
    'data',
    'ETIMEDOUT',
    `Connected to ${formatEndpoint(host, port)}, but it sent nothing within ${formatLimit(limitMs)}`,
  )

function lostTrouble(error: Error, { host, port }: { host: string; port: number }): TargetError {
  const code = codeOf(error)
  const text = code === 'ECONNRESET' || code === 'EPIPE' ? 'reset the connection after accepting it' : error.message
  return new TargetError('data', code, `${formatEndpoint(host, port)}: ${text}`)
}

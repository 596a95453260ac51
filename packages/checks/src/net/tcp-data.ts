import type { Socket } from 'node:net'
import type { Deadline } from './deadline.ts'
import { withoutNul } from './http/http-text.ts'
import { codeOf, formatEndpoint, formatLimit, TargetError } from './target-error.ts'

/** What a peer sent after connecting: nothing at all is an answer too. `error` when the connection was lost. */
export interface DataReceived {
  text: string
  truncated: boolean
  /** From connecting to the last byte, or to the end of the wait when none came, in milliseconds. */
  tookMs: number
  error: TargetError | undefined
}

/** How long to listen, in milliseconds after connecting: for the first byte, and at most. */
export interface Patience {
  firstByteMs: number
  limitMs: number
}

/** Most bytes kept of an answer. */
const dataLimitBytes = 64 * 1024
/** An answer is complete when nothing follows for this long: most protocols keep the connection open. */
export const quietMs = 1000

/** Whether the last line is one of several: `220-mail.example`. Source: RFC 959, section 4.2, and RFC 5321, section 4.2.1. */
const saysThatMoreFollows = (chunk: Buffer): boolean => /(?:^|\n)\d{3}-[^\n]*\r?\n?$/.test(chunk.toString('latin1'))

/**
 * Sends `data` (if any) and reads until the peer closes, stops sending, fills the limit of bytes, or the patience is
 * over. What came until then is the answer. Without any byte it is an error only when the whole attempt ran out of
 * time.
 */
export async function exchangeData(
  socket: Socket,
  data: string,
  { peer, patience }: { peer: { host: string; port: number }; patience: Patience },
  deadline: Deadline,
): Promise<DataReceived> {
  const startedAt = performance.now()
  const chunks: Buffer[] = []
  let bytes = 0
  let lastAt: number | undefined
  let quiet: NodeJS.Timeout | undefined
  let limit: NodeJS.Timeout | undefined
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
          else if (!saysThatMoreFollows(chunk)) quiet = setTimeout(() => succeed(), quietMs)
        })
        // After a stall of this thread timers come before the data that arrived meanwhile, which still counts.
        const giveUp = () => setImmediate(() => succeed())
        quiet = setTimeout(() => setImmediate(() => bytes === 0 && succeed()), patience.firstByteMs)
        limit = setTimeout(giveUp, patience.limitMs)
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
    clearTimeout(limit)
    socket.destroy()
  }
  const text = withoutNul(Buffer.concat(chunks).subarray(0, dataLimitBytes).toString('utf8'))
  return { text, truncated: bytes > dataLimitBytes, tookMs: (lastAt ?? performance.now()) - startedAt, error }
}

const silence = ({ host, port }: { host: string; port: number }, { limitMs }: Deadline): TargetError =>
  new TargetError(
    'data',
    'ETIMEDOUT',
    `connected to ${formatEndpoint(host, port)}, but it sent nothing within ${formatLimit(limitMs)}`,
  )

function lostTrouble(error: Error, { host, port }: { host: string; port: number }): TargetError {
  const code = codeOf(error)
  const text =
    code === 'ECONNRESET' || code === 'EPIPE' ? ' reset the connection after accepting it' : `: ${error.message}`
  return new TargetError('data', code, `${formatEndpoint(host, port)}${text}`)
}

import type { IncomingMessage } from 'node:http'
import type { Duplex, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import type { Deadline } from '../deadline.ts'
import { bodyTrouble } from './http-trouble.ts'
import { Pieces } from './pieces.ts'
import { formatEndpoint, formatLimit, TargetError } from '../target-error.ts'

/** A body as far as it was read. `error` says why it is incomplete. */
export interface BodyRead {
  bytes: Buffer
  /** A content coding that is not supported; `bytes` are still encoded. */
  unknownCoding: string | undefined
  truncated: boolean
  error: TargetError | undefined
  /** `performance.now()` when the last byte had arrived. */
  endedAt: number
}

export interface BodyOptions {
  limitBytes: number
  host: string
  port: number
  /** What went wrong with the exchange; the message itself only tells that it was cut off. */
  failure: () => Error | undefined
}

const mostCodings = 5
/** Every chunk costs time, which other runs need, however little is in it. Honest servers send larger ones. */
const crumbBytes = 16
const mostCrumbs = 100_000
const codings: Readonly<Record<string, (first: Buffer) => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  // "deflate" means zlib, but some servers send the bare stream; its first byte cannot look like a zlib header.
  deflate: (first) => (((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
}

const codingsOf = (header: string | undefined): string[] =>
  (header ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')

/** Decoders in the order bytes pass them. They are made when the first byte arrives: an empty body needs none. */
function openDecoders(names: readonly string[], first: Buffer): Transform[] {
  const decoders: Transform[] = []
  for (const name of [...names].reverse()) {
    const open = codings[name]
    if (open !== undefined) decoders.push(open(first))
  }
  decoders.reduce<Duplex | undefined>((previous, decoder) => {
    previous?.pipe(decoder)
    return decoder
  }, undefined)
  return decoders
}

/**
 * Reads, decompresses and limits a body. An error is part of the answer, beside what had arrived; rejects only when
 * cancelled.
 */
export async function readBody(response: IncomingMessage, options: BodyOptions, deadline: Deadline): Promise<BodyRead> {
  const names = codingsOf(response.headers['content-encoding'])
  const unknownCoding = names.find((name) => codings[name] === undefined)
  const reader = createReader(response, unknownCoding === undefined ? names : [], options)
  try {
    await deadline.during<void>({
      start: reader.start,
      stop: reader.stop,
      timedOut: () =>
        new TargetError(
          'download',
          'ETIMEDOUT',
          `the answer of ${formatEndpoint(options.host, options.port)} did not end within ${formatLimit(deadline.limitMs)}: ${reader.received()} bytes had arrived`,
          { network: false },
        ),
    })
    return { ...reader.read(), unknownCoding, truncated: false, error: undefined }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    return { ...reader.read(), unknownCoding, truncated: true, error }
  } finally {
    reader.stop()
  }
}

type Reject = (error: Error) => void

/** Compressed data may be without end and have nothing in it, so that what goes into decoders is bounded too. */
function countBytes(options: BodyOptions, when: string, reject: Reject): (chunk: Buffer) => void {
  let bytes = 0
  return (chunk) => {
    bytes += chunk.length
    if (bytes > options.limitBytes) reject(tooLarge(options, when))
  }
}

function countCrumbs(peer: string, reject: Reject): (chunk: Buffer) => void {
  let crumbs = 0
  return (chunk) => {
    if (chunk.length < crumbBytes) crumbs += 1
    if (crumbs > mostCrumbs) reject(inCrumbs(peer))
  }
}

interface Reader {
  start: (resolve: () => void, reject: (error: Error) => void) => void
  stop: () => void
  received: () => number
  read: () => { bytes: Buffer; endedAt: number }
}

function createReader(response: IncomingMessage, names: readonly string[], options: BodyOptions): Reader {
  const pieces = new Pieces()
  const peer = formatEndpoint(options.host, options.port)
  const [whileCompressed, whenDone] = names.length > 0 ? [' while still compressed', ' after decompression'] : ['', '']
  let decoders: Transform[] | undefined
  let kept = 0
  let received = 0
  let endedAt: number | undefined

  const start: Reader['start'] = (resolve, reject) => {
    const keep = (chunk: Buffer) => {
      const room = options.limitBytes - kept
      if (room > 0) pieces.add(chunk.length > room ? chunk.subarray(0, room) : chunk)
      kept = Math.min(options.limitBytes, kept + chunk.length)
      if (chunk.length > room) reject(tooLarge(options, whenDone))
    }
    const decode = (chunk: Buffer): Transform => {
      if (decoders === undefined) {
        decoders = openDecoders(names, chunk)
        for (const decoder of decoders) decoder.on('error', (error) => reject(notDecodable(names, error)))
        for (const decoder of decoders.slice(0, -1)) {
          decoder.on('data', countBytes(options, whileCompressed, reject))
        }
        decoders
          .at(-1)
          ?.on('data', keep)
          .on('end', () => resolve())
      }
      return decoders[0] as Transform
    }
    response.on('data', countBytes(options, whileCompressed, reject))
    response.on('data', countCrumbs(peer, reject))
    response.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (names.length === 0) return keep(chunk)
      const decoder = decode(chunk)
      if (decoder.write(chunk)) return
      response.pause()
      decoder.once('drain', () => response.resume())
    })
    response.on('end', () => {
      endedAt = performance.now()
      if (decoders?.[0] === undefined) resolve()
      else decoders[0].end()
    })
    response.on('error', (error) => reject(bodyTrouble(options.failure() ?? error, response, peer, received)))
    if (names.length > mostCodings) reject(notDecodable(names, new Error('too many codings')))
  }

  return {
    start,
    stop() {
      for (const decoder of decoders ?? []) decoder.destroy()
      if (endedAt === undefined) response.destroy()
    },
    received: () => received,
    read: () => ({
      bytes: pieces.whole(),
      endedAt: endedAt ?? performance.now(),
    }),
  }
}

const formatBytes = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${Number((bytes / 1024 / 1024).toFixed(1))} MB` : `${Math.ceil(bytes / 1024)} kB`

const tooLarge = ({ host, port, limitBytes }: BodyOptions, when: string): TargetError =>
  new TargetError(
    'download',
    'BODY_TOO_LARGE',
    `the answer of ${formatEndpoint(host, port)} is larger than ${formatBytes(limitBytes)}${when}`,
    { network: false },
  )

const inCrumbs = (peer: string): TargetError =>
  new TargetError(
    'download',
    'BODY_IN_CRUMBS',
    `the answer of ${peer} comes in crumbs: more than ${mostCrumbs} of its chunks have less than ${crumbBytes} bytes`,
    { network: false },
  )

const notDecodable = (names: readonly string[], error: Error): TargetError =>
  new TargetError(
    'download',
    'CONTENT_ENCODING',
    `the answer says it is compressed with ${names.slice(0, mostCodings).join(', ')}, but cannot be decompressed: ${error.message}`,
    { network: false },
  )

import type { ServerResponse } from 'node:http'
import { finished, type Writable } from 'node:stream'
import { constants, createGzip, type Gzip, type ZlibOptions } from 'node:zlib'
import type { Clock } from '@vedette/wire'

/** What follows within this time leaves together: compressed, results then take two thirds of the bytes. */
const gatherMs = 200
/** Bounds the server's memory for a page that does not read. */
const bufferLimit = 1024 * 1024

/** A window of 4 kB holds the last nine results: a larger one saves no byte and takes ten times the memory. */
const compression: ZlibOptions = { windowBits: 12, memLevel: 5 }

/** Server-sent events to one page. */
export interface EventStream {
  /** On the line at once, or with what follows 200 ms after the last. The stream of a page that does not read is cut. */
  write(text: string): void
  /** What was written still leaves. Does nothing the second time. */
  end(): void
}

export interface EventStreamOptions {
  clock: Clock
  /** Whether the page reads gzip. */
  isCompressed: boolean
  /** Called once, when the stream has ended for whatever reason. */
  onEnd: () => void
}

/** Starts the answer. */
export function openEventStream(
  response: ServerResponse,
  { clock, isCompressed, onEnd }: EventStreamOptions,
): EventStream {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    vary: 'accept-encoding',
    'x-accel-buffering': 'no',
    ...(isCompressed && { 'content-encoding': 'gzip' }),
  })
  const gzip: Gzip | undefined = isCompressed ? createGzip(compression) : undefined
  gzip?.pipe(response)
  const sink: Writable = gzip ?? response
  let gathered = ''
  let cancelNext: (() => void) | undefined
  let hasEnded = false

  const flush = () => {
    cancelNext = undefined
    if (gathered === '') return
    sink.write(gathered)
    gathered = ''
    gzip?.flush(constants.Z_SYNC_FLUSH)
    if (sink.writableLength + response.writableLength > bufferLimit) response.destroy()
    else cancelNext = clock.after(gatherMs, flush)
  }
  finished(response, () => {
    hasEnded = true
    cancelNext?.()
    gzip?.destroy()
    onEnd()
  })
  return {
    write(text) {
      if (hasEnded) return
      gathered += text
      if (!cancelNext) flush()
    },
    end() {
      if (hasEnded) return
      hasEnded = true
      cancelNext?.()
      sink.end(gathered)
    },
  }
}

import { Duplex } from 'node:stream'
import type { WorkerThread } from './worker-thread.ts'

type Done = (error?: Error | null) => void

/** The socket of pg: bytes of the wire protocol to and from the worker. One stream is one session. */
export class WorkerStream extends Duplex {
  readonly #thread: WorkerThread
  readonly #session: number
  readonly #dead: Error | undefined

  /** `dead` is the error of a worker that has ended. */
  constructor(thread: WorkerThread, session: number, dead: Error | undefined) {
    super()
    this.#thread = thread
    this.#session = session
    this.#dead = dead
  }

  receive(bytes: Uint8Array): void {
    if (bytes.length > 0) this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  }

  connect(): this {
    this.#thread.send({ session: this.#session, reset: true })
    // Later, because pg adds its listeners only after this call.
    process.nextTick(() => (this.#dead ? this.destroy(this.#dead) : this.emit('connect')))
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    // A copy, because the memory behind a Buffer is shared and this one is transferred to another thread.
    this.#thread.send({ session: this.#session, bytes: new Uint8Array(chunk) })
    done()
  }

  override _writev(chunks: { chunk: Buffer }[], done: Done): void {
    this.#thread.send({ session: this.#session, bytes: joined(chunks.map(({ chunk }) => chunk)) })
    done()
  }

  override _final(done: Done): void {
    done()
    // A server closes the connection after the terminate message; pg waits for that.
    process.nextTick(() => this.destroy())
  }
}

function joined(chunks: readonly Buffer[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

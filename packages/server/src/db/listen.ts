import { systemClock, type CancelTimer } from '@vedette/wire'
import pg from 'pg'
import type { DatabaseLog } from './database.ts'

const againMs = 1000
const answerMs = 10_000

export interface ListenerOptions {
  url: string
  channel: string
  /** Called for every announcement, and whenever some may have been missed. */
  onNotice: () => void
  log: DatabaseLog | undefined
}

/**
 * A connection of its own on which the server announces that something was written; it is opened again when it is lost.
 * One that went silent may not be noticed for minutes: the caller also has to look by itself.
 */
export class Listener {
  readonly #options: ListenerOptions
  #client: pg.Client | undefined
  #again: CancelTimer | undefined
  #failures = 0
  #stopped = false

  constructor(options: ListenerOptions) {
    this.#options = options
    void this.#open()
  }

  stop(): Promise<void> {
    this.#stopped = true
    this.#again?.()
    this.#client?.connection.stream.destroy()
    return Promise.resolve()
  }

  async #open(): Promise<void> {
    const { url, channel, onNotice } = this.#options
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
      application_name: 'vedette changes',
    })
    this.#client = client
    client.on('error', (error) => this.#lost(client, error))
    client.on('end', () => this.#lost(client, new Error('The connection ended.')))
    client.on('notification', onNotice)
    try {
      await client.connect()
      await client.query(`LISTEN ${channel}`)
      this.#failures = 0
      onNotice()
    } catch (error) {
      this.#lost(client, error)
    }
  }

  #lost(client: pg.Client, error: unknown): void {
    if (this.#client !== client) return
    this.#client = undefined
    client.connection.stream.destroy()
    if (this.#stopped) return
    this.#failures += 1
    if (this.#failures === 1)
      this.#options.log?.error({ err: error }, 'Changes of other servers are not announced now; they are looked for.')
    this.#again = systemClock.after(againMs, () => void this.#open())
  }
}

import { randomUUID } from 'node:crypto'
import { locations, type Clock, type Location, type LocationId } from '@vedette/wire'
import type { Database, Queryable } from '../db/database.ts'
import { hashSecret, mintToken } from '../access/secret-token.ts'
import { insertAgentKey, readAgentKeys, revokeDataCenterKey, rotateBuiltinKey, type AgentKey } from './store.ts'

/** Keys that another process made or revoked are noticed within this time. */
const freshMs = 5000
/** A stranger's key makes us look again, but no more often than this. */
const strangerMs = 1000

interface Snapshot {
  readAt: number
  byHash: ReadonlyMap<string, AgentKey>
  keys: readonly AgentKey[]
  /** What the built-in agent serves. */
  unclaimed: ReadonlySet<Location>
}

/** Location keys: who an agent is and which locations it serves. */
export class AgentKeys {
  readonly #db: Database
  readonly #clock: Clock
  #snapshot: Snapshot | undefined
  #reading: Promise<Snapshot> | undefined

  constructor({ db, clock }: { db: Database; clock: Clock }) {
    this.#db = db
    this.#clock = clock
  }

  /** The key in force with this secret. */
  async find(raw: string): Promise<AgentKey | undefined> {
    const hash = hashSecret(raw).toString('hex')
    const known = (await this.#fresh(freshMs)).byHash.get(hash)
    return known ?? (await this.#fresh(strangerMs)).byHash.get(hash)
  }

  async list(): Promise<readonly AgentKey[]> {
    return (await this.#fresh(0)).keys
  }

  async locationsOf(key: AgentKey): Promise<ReadonlySet<LocationId>> {
    return key.kind === 'builtin' ? (await this.#fresh(freshMs)).unclaimed : new Set([key.location])
  }

  /** The same as people write them. */
  async slugsOf(key: AgentKey): Promise<string[]> {
    return key.kind === 'private' ? [key.slug] : [...(await this.locationsOf(key))]
  }

  /** Takes a data-center location over from the built-in agent. The raw key is in this answer only. */
  async mintForDataCenter(client: Queryable, location: Location): Promise<{ key: AgentKey; raw: string }> {
    const { raw, hash, masked } = mintToken('vdl_')
    const key: AgentKey = {
      id: randomUUID(),
      kind: 'data-center',
      accountId: null,
      location,
      masked,
      createdAt: this.#clock.now(),
    }
    await insertAgentKey(client, key, hash)
    return { key, raw }
  }

  /**
   * A fresh secret for the built-in agent of this process. Its id stays, so that results which the agent kept on disk
   * over a restart are still those of the key that leased them.
   */
  async mintBuiltin(instance: string): Promise<string> {
    const { raw, hash, masked } = mintToken('vdl_')
    await this.#db.transaction(async (client) => {
      if ((await rotateBuiltinKey(client, instance, { hash, masked })) !== undefined) return
      const createdAt = this.#clock.now()
      const key: AgentKey = {
        id: randomUUID(),
        kind: 'builtin',
        accountId: null,
        location: instance,
        masked,
        createdAt,
      }
      await insertAgentKey(client, key, hash)
    })
    this.forget()
    return raw
  }

  revokeDataCenter(client: Queryable, id: string): Promise<boolean> {
    return revokeDataCenterKey(client, id, this.#clock.now())
  }

  /** To be called after keys were written: the next question reads them. */
  forget(): void {
    this.#snapshot = undefined
    this.#reading = undefined
  }

  #fresh(maxAgeMs: number): Promise<Snapshot> {
    const snapshot = this.#snapshot
    if (snapshot !== undefined && this.#clock.now() - snapshot.readAt < maxAgeMs) return Promise.resolve(snapshot)
    const reading = (this.#reading ??= this.#read().then((read) => {
      if (this.#reading !== reading) return read
      this.#snapshot = read
      this.#reading = undefined
      return read
    }))
    reading.catch(() => {
      if (this.#reading === reading) this.#reading = undefined
    })
    return reading
  }

  async #read(): Promise<Snapshot> {
    const readAt = this.#clock.now()
    const found = await readAgentKeys(this.#db.pool)
    const claimed = new Set<string>(
      found.filter(({ key }) => key.kind === 'data-center').map(({ key }) => key.location),
    )
    return {
      readAt,
      byHash: new Map(found.map(({ hash, key }) => [hash, key])),
      keys: found.map(({ key }) => key),
      unclaimed: new Set(locations.filter((location) => !claimed.has(location))),
    }
  }
}

import { randomUUID } from 'node:crypto'
import { locations, type Clock, type Location, type LocationId, type PrivateLocationId } from '@vedette/wire'
import type { Database, Queryable } from '../../db/database.ts'
import { hashSecret, mintToken } from '../../access/secret-token.ts'
import {
  adoptBuiltinKey,
  insertAgentKey,
  insertBuiltinSecret,
  noteFirstCall,
  readAgentKeys,
  revokeDataCenterKey,
  type AgentKey,
} from '../store.ts'

/** Keys that another process created or revoked take effect within this time. */
const freshMs = 5000
/** No other process writes to the embedded database, and this one says when it did. */
const freshAloneMs = 60_000
/** An unknown key makes the keys be read again, at most this often. */
const strangerMs = 1000
/**
 * Earlier secrets of one built-in agent that stay valid: a copy of a data directory makes two servers with one id, and
 * neither may lock out the agent of the other.
 */
const earlierSecrets = 7

interface Snapshot {
  readAt: number
  byHash: ReadonlyMap<string, AgentKey>
  keys: readonly AgentKey[]
  /** Locations that the built-in agent serves. */
  unclaimed: ReadonlySet<Location>
  /** Locations with a key that no agent has ever called with. */
  awaited: ReadonlySet<LocationId>
}

/** Location keys: which agents may sign in, and which locations they serve. */
export class AgentKeys {
  readonly #db: Database
  readonly #clock: Clock
  readonly #freshMs: number
  #snapshot: Snapshot | undefined
  #awaited: ReadonlySet<LocationId> = new Set()
  #reading: Promise<Snapshot> | undefined
  /** The keys that were valid at the last reading. */
  #valid: readonly AgentKey[] = []
  readonly #onGone: ((keyId: string) => void)[] = []

  constructor({ db, clock }: { db: Database; clock: Clock }) {
    this.#db = db
    this.#clock = clock
    this.#freshMs = db.kind === 'embedded' ? freshAloneMs : freshMs
  }

  /** The valid key with this secret. */
  async find(raw: string): Promise<AgentKey | undefined> {
    const hash = hashSecret(raw).toString('hex')
    const known = (await this.#fresh(this.#freshMs)).byHash.get(hash)
    return known ?? (await this.#fresh(strangerMs)).byHash.get(hash)
  }

  /** The key as it is now; undefined when it was revoked since, or its location deleted. */
  async current(key: AgentKey): Promise<AgentKey | undefined> {
    return (await this.#fresh(this.#freshMs)).keys.find(({ id }) => id === key.id)
  }

  async list(): Promise<readonly AgentKey[]> {
    return (await this.#fresh(0)).keys
  }

  async locationsOf(key: AgentKey): Promise<ReadonlySet<LocationId>> {
    return key.kind === 'builtin' ? (await this.#fresh(this.#freshMs)).unclaimed : new Set([key.location])
  }

  /** The locations without a key of their own, which the built-in agent serves. */
  async unclaimed(): Promise<ReadonlySet<Location>> {
    return (await this.#fresh(this.#freshMs)).unclaimed
  }

  /** The locations whose first agent is awaited, as of the last reading: nobody has ever called with their keys. */
  awaited(): ReadonlySet<LocationId> {
    return this.#awaited
  }

  /** The private locations that have a key, as of the last reading. */
  privateLocations(): PrivateLocationId[] {
    return [...new Set(this.#valid.flatMap((key) => (key.kind === 'private' ? [key.location] : [])))]
  }

  /** An agent calls with this key. Its first call is noted for good. */
  async heard(key: AgentKey): Promise<void> {
    if (key.kind === 'builtin' || !this.#awaited.has(key.location)) return
    await noteFirstCall(this.#db.pool, key.id, this.#clock.now())
    this.#awaited = new Set([...this.#awaited].filter((location) => location !== key.location))
    this.forget()
  }

  /** The slugs of the locations that the key serves. */
  async slugsOf(key: AgentKey): Promise<string[]> {
    return key.kind === 'private' ? [key.slug] : [...(await this.locationsOf(key))]
  }

  /** Creates a key for a location that the built-in agent served until now. Only this answer has the raw key. */
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
   * Creates a secret for the built-in agent of a server. The id of its key is that of the server, so that results spooled
   * over a restart still belong to the key that leased them.
   */
  async mintBuiltin(server: string): Promise<string> {
    const { raw, hash, masked } = mintToken('vdl_')
    const secret = { id: randomUUID(), server, hash, masked, createdAt: this.#clock.now() }
    await this.#db.transaction((client) => insertBuiltinSecret(client, secret, earlierSecrets))
    this.forget()
    return raw
  }

  /** Renames the key that older versions named by the data directory. Returns the id for the server of this directory. */
  adoptBuiltin(dataDir: string): Promise<string | undefined> {
    return adoptBuiltinKey(this.#db.pool, dataDir)
  }

  revokeDataCenter(client: Queryable, id: string): Promise<boolean> {
    return revokeDataCenterKey(client, id, this.#clock.now())
  }

  /** Calls back for every key that was valid and is no more, on whatever server it was revoked. */
  onGone(listener: (keyId: string) => void): void {
    this.#onGone.push(listener)
  }

  /** Call after keys were written: they are read anew. */
  forget(): void {
    this.#snapshot = undefined
    this.#reading = undefined
    // Not only at the next look-up: what a revoked key holds waits for nobody.
    this.#fresh(0).catch(() => undefined)
  }

  #fresh(maxAgeMs: number): Promise<Snapshot> {
    const snapshot = this.#snapshot
    if (snapshot !== undefined && this.#clock.monotonic() - snapshot.readAt < maxAgeMs) return Promise.resolve(snapshot)
    const reading = (this.#reading ??= this.#read().then((read) => {
      if (this.#reading !== reading) return read
      this.#snapshot = read
      this.#awaited = read.awaited
      this.#reading = undefined
      this.#noteGone(read.keys)
      return read
    }))
    reading.catch(() => {
      if (this.#reading === reading) this.#reading = undefined
    })
    return reading
  }

  #noteGone(valid: readonly AgentKey[]): void {
    const ids = new Set(valid.map(({ id }) => id))
    const gone = this.#valid.filter(({ id }) => !ids.has(id))
    this.#valid = valid
    for (const { id } of gone) for (const tell of this.#onGone) tell(id)
  }

  async #read(): Promise<Snapshot> {
    const readAt = this.#clock.monotonic()
    const found = await readAgentKeys(this.#db.pool)
    const claimed = new Set<string>(
      found.filter(({ key }) => key.kind === 'data-center').map(({ key }) => key.location),
    )
    return {
      readAt,
      byHash: new Map(found.map(({ hash, key }) => [hash, key])),
      keys: [...new Map(found.map(({ key }) => [key.id, key])).values()],
      unclaimed: new Set(locations.filter((location) => !claimed.has(location))),
      awaited: new Set(found.flatMap(({ key, heard }) => (key.kind === 'builtin' || heard ? [] : [key.location]))),
    }
  }
}

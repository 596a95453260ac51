/** Something that runs checks, measured from outside: this product, another checkout of it, or a peer. */
export interface Subject {
  name: string
  /** Starts it with what it had stored when it stopped. */
  start(): Promise<Session>
  /** Deletes what it has stored. */
  remove(): Promise<void>
}

/** A subject from its start to its stop. */
export interface Session {
  pid: number
  /** Brings the fleet to this number of HTTP checks, each every 20 s, of the target's /check/0, /check/1 and so on. */
  hold(checks: number): Promise<void>
  /** What a product of ours tells about itself; of a peer it is not known. */
  own?: OwnSession
  /** What it printed last. */
  lastOutput(): string
  stop(): Promise<void>
}

export interface OwnSession {
  /** Results stored since its start. */
  stored(): Promise<number>
  /** Ids of the checks that run, in the order of their paths. */
  ids(): readonly string[]
  url: string
  /** Calls its API. */
  api: <T>(method: string, path: string, body?: unknown) => Promise<{ status: number; body: T }>
  /** Reads lists of results, of which a key may read few. */
  lists: <T>(paths: readonly string[]) => Promise<T[]>
  apiKey: string
}

/** Seconds between two runs of a check. It is the shortest period that every subject allows. */
export const periodSeconds = 20

import type { Clock } from '@vedette/wire'
import { hashSecret } from '../../access/secret-token.ts'

/** Records when the agent that this server started last called. */
export interface OwnAgentCalls {
  /** From now on the agent calls with this key. */
  expect(rawKey: string): void
  /** A call came in. It counts before its key is looked up: trouble of the database is no silence of the agent. */
  called(rawKey: string | undefined): void
  /** Monotonic time of the last call; undefined before the first. */
  heardAt(): number | undefined
}

export function ownAgentCalls(clock: Pick<Clock, 'monotonic'>): OwnAgentCalls {
  let expected: Buffer | undefined
  let last: number | undefined
  return {
    expect(rawKey) {
      expected = hashSecret(rawKey)
      last = undefined
    },
    called(rawKey) {
      if (expected !== undefined && rawKey !== undefined && hashSecret(rawKey).equals(expected))
        last = clock.monotonic()
    },
    heardAt: () => last,
  }
}

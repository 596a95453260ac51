import type { Location } from '@vedette/wire'
import type { VerbContext, Write } from '../../access/write.ts'
import type { AgentKeys } from './agent-keys.ts'

const resource = 'agent-keys'

/** Creates and revokes the keys with which an operator runs agents in real data centers. */
export const agentKeyVerbs = ({ keys, write }: { keys: AgentKeys; write: Write }) => ({
  /** The key itself is in this answer only. */
  mint(ctx: VerbContext, location: Location) {
    return write(ctx, { action: 'create', resource }, async ({ client }) => {
      const minted = await keys.mintForDataCenter(client, location)
      const { id, masked } = minted.key
      return { id, answer: minted, after: { id, location, maskedKey: masked }, announce: () => keys.forget() }
    })
  },

  revoke(ctx: VerbContext, id: string) {
    return write(ctx, { action: 'revoke', resource }, async ({ client, existing }) => {
      const revoked = keys.revokeDataCenter(client, id).then((done) => (done ? { id } : undefined))
      return { id, answer: undefined, before: await existing('agent key', revoked), announce: () => keys.forget() }
    })
  },
})

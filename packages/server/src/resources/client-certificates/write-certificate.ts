import { randomUUID } from 'node:crypto'
import type { ClientCertificate, ClientCertificateCreate } from '@vedette/wire'
import type { VerbContext } from '../../access/write.ts'
import { conflict, notFound } from '../../api-error.ts'
import { restorableSince } from '../../db/restorable.ts'
import { certificatePlace } from '../../settings/client-certificate-store.ts'
import type { ApiDeps } from '../api-deps.ts'
import { readCertificate } from './read-certificate.ts'
import { countCertificates, insertCertificate, readStored, restoreStored, softDeleteCertificate } from './store.ts'

const resource = 'client-certificates'

/** A run may need them all, and each job carries those that it may need. */
const mostCertificates = 50

const snapshot = ({ host, subject, expiresAt }: ClientCertificate) => ({ host, subject, expiresAt })

/** Creates, deletes and restores client certificates. Runs that start afterwards present those that there are then. */
export function certificateVerbs({ write, vault, clock, hooks }: ApiDeps) {
  const announce = ({ accountId }: VerbContext) => hooks.certificatesChanged(accountId)
  const refuseTooMany = (count: number) => {
    if (count >= mostCertificates)
      throw conflict(`There are ${mostCertificates} client certificates already; delete one that is not needed.`)
  }
  return {
    create(ctx: VerbContext, sent: ClientCertificateCreate): Promise<ClientCertificate> {
      const read = readCertificate(sent, new Date(clock.now()))
      return write(ctx, { action: 'create', resource }, async ({ client, at }) => {
        refuseTooMany(await countCertificates(client, ctx.accountId))
        const id = randomUUID()
        const key = vault.seal(read.key, certificatePlace(ctx.accountId, id))
        const answer = await insertCertificate(client, ctx.accountId, { ...read, id, key, at })
        return { id, answer, after: snapshot(answer), announce: () => announce(ctx) }
      })
    },

    remove(ctx: VerbContext, id: string): Promise<undefined> {
      return write(ctx, { action: 'delete', resource }, async ({ client, at, existing }) => {
        const before = await existing('client certificate', readStored(client, ctx.accountId, id, true))
        await softDeleteCertificate(client, ctx.accountId, id, at)
        return { id, answer: undefined, before: snapshot(before), announce: () => announce(ctx) }
      })
    },

    /** Brings back a certificate that was deleted less than a day ago. */
    restore(ctx: VerbContext, id: string): Promise<ClientCertificate> {
      return write(ctx, { action: 'restore', resource }, async ({ client, at }) => {
        refuseTooMany(await countCertificates(client, ctx.accountId))
        const restored = await restoreStored(client, ctx.accountId, { id, since: restorableSince(at) })
        if (!restored) throw notFound('client certificate')
        return { id, answer: restored, after: snapshot(restored), announce: () => announce(ctx) }
      })
    },
  }
}

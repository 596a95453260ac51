import { randomUUID } from 'node:crypto'
import type {
  AccountInviteCreate,
  CreatedAccountInvite,
  CreatedInstallationAccount,
  InstallationAccount,
  InstallationAccountCreate,
} from '@vedette/wire'
import type { Change, VerbContext } from '../../access/write.ts'
import { endEpisodes } from '../../alerting/episodes/episode-store.ts'
import { conflict } from '../../api-error.ts'
import { resolveChecks } from '../../settings/store.ts'
import type { ApiDeps, ChangeOfCheck } from '../api-deps.ts'
import { insertAccount, isOperatorAccount, lockAnyAccount, setSuspension } from './installation-store.ts'

const resource = 'accounts'

/** Stores an invitation inside a write. What it answers makes the link and sends it, once the write is done. */
export type Invite = (
  change: Change,
  ctx: VerbContext,
  invited: AccountInviteCreate & { account: string },
) => Promise<{ send: () => Promise<CreatedAccountInvite> }>

/** What whoever operates the installation does with accounts. */
export const installationVerbs = (deps: ApiDeps, invite: Invite) => ({
  create: createAccount(deps, invite),
  suspend: suspendAccount(deps),
  resume: resumeAccount(deps),
})

const locked = ({ client, existing }: Change, id: string): Promise<InstallationAccount> =>
  existing('account', lockAnyAccount(client, id))

/** Creates an account without members, and invites who is to own it. */
const createAccount =
  (deps: ApiDeps, invite: Invite) =>
  async (ctx: VerbContext, { name, ownerEmail }: InstallationAccountCreate): Promise<CreatedInstallationAccount> => {
    const id = randomUUID()
    const { account, made } = await deps.write(ctx, { action: 'create', resource }, async (change) => {
      await insertAccount(change.client, { id, name, at: change.at })
      const invited = await invite(change, ctx, { account: id, email: ownerEmail, role: 'ADMIN' })
      const after = await locked(change, id)
      return { id, answer: { account: after, made: invited }, after }
    })
    return { ...account, invite: await made.send() }
  }

/** From now on nobody gets in, no check runs and nothing alerts. Everything is kept. */
const suspendAccount =
  ({ write, hooks, authenticate }: ApiDeps) =>
  (ctx: VerbContext, id: string, because: string | undefined): Promise<InstallationAccount> =>
    write(ctx, { action: 'update', resource }, async (change) => {
      const { client, at } = change
      const before = await locked(change, id)
      if (await isOperatorAccount(client, id)) throw conflict('This account operates the installation.')
      if (before.suspendedAt !== null) return { id, answer: before, unchanged: true }
      await setSuspension(client, id, { at, because: because ?? null })
      const { changed: checkIds } = await resolveChecks(client, { account: id, at })
      await endEpisodes(client, checkIds, at)
      const after = await locked(change, id)
      const announce = async () => {
        authenticate.forget()
        if (checkIds.length > 0) await hooks.checksChanged(checkIds)
      }
      return { id, answer: after, before, after, announce }
    })

/** Its checks run at once, and wait for events from now on. */
const resumeAccount =
  ({ write, hooks, authenticate }: ApiDeps) =>
  (ctx: VerbContext, id: string): Promise<InstallationAccount> =>
    write(ctx, { action: 'update', resource }, async (change) => {
      const before = await locked(change, id)
      if (before.suspendedAt === null) return { id, answer: before, unchanged: true }
      await setSuspension(change.client, id, null)
      const { started } = await resolveChecks(change.client, { account: id, at: change.at })
      const after = await locked(change, id)
      const changes = started.map((checkId): ChangeOfCheck => ({ checkId, change: 'updated', runNow: true }))
      const announce = async () => {
        authenticate.forget()
        if (changes.length > 0) await hooks.manyChanged(id, changes)
      }
      return { id, answer: after, before, after, announce }
    })

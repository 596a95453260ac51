import { randomUUID } from 'node:crypto'
import { completeDefinition, type AnyCheckType } from '@vedette/checks'
import type { VerbContext } from '../../../access/write.ts'
import { initialState } from '../../../alerting/state/alert-state.ts'
import { readLocationSlugs } from '../../../locations/location-param.ts'
import { resolveCheck } from '../../../settings/resolve-check.ts'
import { groupSettings, readGroup } from '../../../settings/group-store.ts'
import { lockAccountSettings } from '../../../settings/store.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { readAnswer, type VersionedCheck } from '../check-answer.ts'
import { storeEventToken } from '../definition/event-address.ts'
import { notRunnableReason } from '../definition/not-runnable.ts'
import { targetOf } from '../definition/target-of.ts'
import { sealDefinition } from '../definition/sealed-definition.ts'
import { definitionToRun } from '../definition/to-run.ts'
import { withIds } from '../shown-locations.ts'
import { insertCheck } from '../store.ts'
import { replaceSubscriptions, subscribeToChannels, type CheckSubscription } from '../subscription-store.ts'
import { validateDefinition } from '../definition/validate-definition.ts'

interface NewCheck {
  type: AnyCheckType
  /** The body, validated by the create schema. */
  sent: Record<string, unknown>
  /** Subscribe it to every channel the account has. */
  autoAssignAlerts: boolean
}

/** Stores a new check and returns it. Its first run starts at once. */
export const createCheck =
  ({ vault, write, hooks }: ApiDeps) =>
  (ctx: VerbContext, { type, sent, autoAssignAlerts }: NewCheck): Promise<VersionedCheck> => {
    const account = ctx.accountId
    const id = randomUUID()
    const whole = completeDefinition(type, sent, id, randomUUID())
    const { alertChannelSubscriptions, ...shown } = whole
    return write(ctx, { action: 'create', resource: 'checks' }, async ({ client, at }) => {
      const settings = await lockAccountSettings(client, account)
      const slugs = await readLocationSlugs(client, account)
      await validateDefinition(client, { account, slugs, keptLocations: [] }, type, whole)
      const definition = withIds(shown, slugs, [])
      const sealed = sealDefinition(vault, { account, checkId: id }, type, definition)
      const group = await readGroup(client, account, definition.groupId)
      const effective = resolveCheck(definition, group && groupSettings(group), settings)
      const notRunnable = notRunnableReason(type, definition, group)
      const content = {
        account,
        id,
        type: type.type,
        ...sealed,
        ...targetOf(type, sealed.definition),
        toRun: definitionToRun(vault, { account, checkId: id, group }, type, definition),
        effective,
        offsetSent: sent.frequencyOffset !== undefined,
        notRunnable,
        mutedUntil: null,
        at,
      }
      await insertCheck(client, content, initialState())
      await storeEventToken(client, type, { account, id, definition, countedFrom: null })
      const of = { account, checkId: id }
      await replaceSubscriptions(client, of, (alertChannelSubscriptions as CheckSubscription[] | undefined) ?? [])
      await subscribeToChannels(client, of, autoAssignAlerts ? 'all' : 'autoSubscribe')
      const answer = await readAnswer(client, id, { account, at })
      const runNow = effective.activated && notRunnable === null
      return {
        id,
        answer,
        after: answer.check,
        announce: () => hooks.checkChanged(id, { change: 'created', runNow }),
      }
    })
  }

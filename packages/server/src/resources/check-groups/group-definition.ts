import {
  checkTypeOf,
  completeDefinition,
  keepMaskedSecrets,
  maskSecrets,
  secretMask,
  secretsOf,
  type Definition,
} from '@vedette/checks'
import { validateWhole } from '@vedette/checks/rules'
import {
  completeAlertSettings,
  completeAssertion,
  completePairs,
  completeRetryStrategy,
  completeVariables,
  type CheckGroupWrite,
  type FieldProblem,
} from '@vedette/wire'
import { groupSecretPlace, groupSecrets, type GroupDefinition } from '../../settings/group-store.ts'
import type { Vault } from '../../vault.ts'

type Sent = Omit<CheckGroupWrite, 'id' | 'created_at' | 'updated_at' | 'alertChannelSubscriptions'>

/** The group after a write: what is sent replaces what is stored, a sent mask keeps the stored secret. */
export function mergeGroup(stored: GroupDefinition, sent: Sent): GroupDefinition {
  const { apiCheckDefaults: api, alertSettings, retryStrategy, environmentVariables, ...plain } = sent
  const fields = Object.entries(plain).filter(([, value]) => value !== undefined)
  const merged: GroupDefinition = {
    ...stored,
    ...(Object.fromEntries(fields) as Partial<GroupDefinition>),
    ...(api && { apiCheckDefaults: completeApiDefaults(api) }),
    ...(alertSettings !== undefined && { alertSettings: alertSettings && completeAlertSettings(alertSettings) }),
    ...(retryStrategy !== undefined && {
      retryStrategy: retryStrategy === 'FALLBACK' ? retryStrategy : completeRetryStrategy(retryStrategy),
    }),
    ...(environmentVariables !== undefined && { environmentVariables: completeVariables(environmentVariables) }),
  }
  return keepMaskedSecrets(groupSecrets, asDefinition(stored), asDefinition(merged)) as unknown as GroupDefinition
}

const completeApiDefaults = (
  sent: NonNullable<CheckGroupWrite['apiCheckDefaults']>,
): GroupDefinition['apiCheckDefaults'] => ({
  url: sent.url ?? '',
  headers: completePairs(sent.headers),
  queryParameters: completePairs(sent.queryParameters),
  assertions: (sent.assertions ?? []).map(completeAssertion),
  basicAuth: hasName(sent.basicAuth) ? (sent.basicAuth ?? null) : null,
})

/** Clients send an empty user and password where there are none. */
const hasName = (sent: { username: string; password: string } | null | undefined) =>
  sent !== null && sent !== undefined && (sent.username !== '' || sent.password !== '')

const asDefinition = (group: GroupDefinition): Definition => ({ ...group })

/** What is wrong with the whole: its defaults must be what an API check could have. */
export function groupProblems(group: GroupDefinition): FieldProblem[] {
  const { url: _, ...defaults } = group.apiCheckDefaults
  const type = checkTypeOf('API')
  if (!type) throw new Error('API checks are not built')
  const { environmentVariables } = group
  const sent = { name: 'x', request: { url: 'https://group.example', ...defaults }, environmentVariables }
  const problems = validateWhole(type, completeDefinition(type, sent, ''))
  const masks = [...secretsOf(groupSecrets, asDefinition(group))].filter(([, value]) => value === secretMask)
  return [
    ...problems.map(({ path, message }) => ({ path: path.replace(/^request\./, 'apiCheckDefaults.'), message })),
    ...masks.map(([path]) => ({ path, message: 'is a mask; send the value itself' })),
  ]
}

/** The group as it is stored: masks in place of secrets, and those sealed by dotted path. */
export function sealGroup(
  vault: Vault,
  { account, id }: { account: string; id: number },
  group: GroupDefinition,
): { definition: GroupDefinition; secrets: Record<string, string> } {
  const secrets = [...secretsOf(groupSecrets, asDefinition(group))].filter(([, value]) => value !== '')
  return {
    definition: maskSecrets(groupSecrets, asDefinition(group)) as unknown as GroupDefinition,
    secrets: Object.fromEntries(
      secrets.map(([path, value]) => [path, vault.seal(value, groupSecretPlace(account, id, path))]),
    ),
  }
}

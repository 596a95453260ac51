import { secretMask } from '@vedette/checks'
import type { SecretPlace, Vault } from '../../vault.ts'
import type { ChannelConfig, ChannelKind } from './channel-kind.ts'

/** A config as stored: masks in place of secrets, and the sealed secrets by path. */
export interface SealedConfig {
  config: ChannelConfig
  secrets: Record<string, string>
}

interface Owner {
  account: string
  channelId: number
}

const place = ({ account, channelId }: Owner, field: string): SecretPlace => ({
  account,
  table: 'alert_channels',
  row: String(channelId),
  field,
})

export function sealConfig(
  vault: Vault,
  owner: Owner,
  kind: Pick<ChannelKind, 'mapSecrets'>,
  config: ChannelConfig,
): SealedConfig {
  const secrets: Record<string, string> = {}
  const masked = kind.mapSecrets(config, (value, path) => {
    secrets[path] = vault.seal(value, place(owner, path))
    return secretMask
  })
  return { config: masked, secrets }
}

/** The config with secrets in the clear, for sending only. */
export const unsealConfig = (
  vault: Vault,
  owner: Owner,
  kind: Pick<ChannelKind, 'mapSecrets'>,
  sealed: SealedConfig,
): ChannelConfig =>
  kind.mapSecrets(sealed.config, (value, path) => {
    const secret = sealed.secrets[path]
    return secret === undefined ? value : vault.open(secret, place(owner, path))
  })

/** Replaces masks that were sent with the stored secrets. */
export function keepMaskedSecrets(
  kind: Pick<ChannelKind, 'mapSecrets'>,
  stored: ChannelConfig,
  sent: ChannelConfig,
): ChannelConfig {
  const known = secretsByPath(kind, stored)
  return kind.mapSecrets(sent, (value, path) => (value === secretMask ? (known.get(path) ?? value) : value))
}

/** Paths of masks without a stored secret. */
export const danglingMasks = (kind: Pick<ChannelKind, 'mapSecrets'>, config: ChannelConfig): string[] =>
  [...secretsByPath(kind, config)].filter(([, value]) => value === secretMask).map(([path]) => path)

export function secretsByPath(kind: Pick<ChannelKind, 'mapSecrets'>, config: ChannelConfig): Map<string, string> {
  const found = new Map<string, string>()
  kind.mapSecrets(config, (value, path) => {
    found.set(path, value)
    return value
  })
  return found
}

import { secretMask } from '@vedette/checks'
import { alertChannelDefaults } from '@vedette/wire'
import { secretsByPath, unsealConfig } from '../../../alerting/channels/sealed-config.ts'
import { channelKindOf } from '../../../alerting/index.ts'
import type { ApiDeps } from '../../api-deps.ts'
import {
  channelVerbs,
  channelWrite,
  kindOf,
  listChannels,
  parsedConfig,
  type ChannelRow,
} from '../../alert-channels/for-verbs.ts'
import type { Entry, FileKind, Held } from '../file-kind.ts'
import { shortened } from '../shortened.ts'
import { ifValid, parsed } from './parsed.ts'

const schema = channelWrite.omit({ subscriptions: true, id: true, created_at: true, updated_at: true })

function complete(entry: Entry): Entry {
  const { type, config, ...flags } = parsed(schema, entry, ['config'])
  const kind = kindOf(type)
  return { type, config: kind.complete(parsedConfig(kind.config, config)), ...alertChannelDefaults, ...flags }
}

const configOf = ({ config }: Entry): Entry =>
  typeof config === 'object' && config !== null && !Array.isArray(config) ? { ...config } : {}

/** What people know it by: its name, or where it sends. */
function nameOf(entry: Entry): string | undefined {
  const { name, address, url } = configOf(entry)
  return [name, address, url].find((one): one is string => typeof one === 'string' && one !== '')
}

/** Secrets by their path in the entry: the kind names them by the keys of headers. */
function placedSecrets(entry: Entry, config: Entry): Map<string, string> {
  const kind = channelKindOf(String(entry['type']))
  if (!kind) return new Map()
  const values = secretsByPath(kind, config)
  const marks = new Map<string, string>()
  const marked = kind.mapSecrets(config, (_, path) => {
    // No text of a config holds a NUL.
    const mark = `\0${marks.size}`
    marks.set(mark, values.get(path) ?? '')
    return mark
  })
  const found = new Map<string, string>()
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'string' && marks.has(value)) found.set(path, marks.get(value) ?? '')
    else if (typeof value === 'object' && value !== null)
      for (const [step, child] of Object.entries(value)) visit(child, `${path}.${step}`)
  }
  visit(marked, 'config')
  return found
}

export function alertChannelKind(deps: ApiDeps): FileKind {
  const verbs = channelVerbs(deps)
  const whole = (entry: Entry) => parsed(schema, complete(entry), ['config'])
  return {
    kind: 'alertChannel',
    section: 'alertChannels',
    title: 'alert channel',
    nameField: 'config.name',
    nameOf,
    async read({ client, account }) {
      const { channels } = await listChannels(client, account, { limit: Number.MAX_SAFE_INTEGER, offset: 0 })
      return channels.map((row) => heldChannel(deps, account, row))
    },
    canonical: (entry) => shortened(complete(entry), ifValid(complete)),
    secretPaths: (entry) => [...placedSecrets(entry, configOf(complete(entry))).keys()],
    create: async (ctx, entry) => (await verbs.create(ctx, whole(entry))).channel.id,
    change: (ctx, { held, entry }) => verbs.replace(ctx, Number(held.id), whole(entry)),
    remove: (ctx, { id }) => verbs.remove(ctx, Number(id)),
  }
}

function heldChannel({ vault }: ApiDeps, account: string, row: ChannelRow): Held {
  const { id, type, config, sendRecovery, sendFailure, sendDegraded } = row
  const { sslExpiry, sslExpiryThreshold, autoSubscribe } = row
  const flags = { sendRecovery, sendFailure, sendDegraded, sslExpiry, sslExpiryThreshold, autoSubscribe }
  const entry = shortened({ type, config, ...flags }, ifValid(complete))
  const kind = kindOf(type)
  const opened = unsealConfig(vault, { account, channelId: id }, kind, row)
  const secrets = [...placedSecrets(entry, opened)].filter(([, value]) => value !== secretMask)
  return { id, name: nameOf(entry) ?? `channel ${id}`, entry, secrets: new Map(secrets) }
}

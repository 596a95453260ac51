import { randomUUID } from 'node:crypto'
import { secretMask } from '@vedette/checks'
import type { AlertChannelPreview, PreviewedAlertType, TemplateVariable } from '@vedette/wire'
import type { ChannelConfig, ChannelKind } from '../channels/channel-kind.ts'
import { describeAlertVariables } from '../channels/variables.ts'
import { readAccountVariables } from './account-variables.ts'
import type { DeliveryOptions } from './deliver-to-channel.ts'
import { sampleAlert, sampleMessage } from './sample-alert.ts'

type PreviewOptions = Pick<DeliveryOptions, 'db' | 'clock' | 'vault' | 'baseUrl'>

interface Previewed {
  accountId: string
  draft: ChannelConfig
  alertType?: PreviewedAlertType | undefined
}

/** What a channel would send of a sample alert. Hidden variables of the account are masked. */
export async function previewAlert(
  kind: Pick<ChannelKind, 'preview'>,
  { accountId, draft, alertType }: Previewed,
  options: PreviewOptions,
): Promise<AlertChannelPreview> {
  const { clock } = options
  const variables = await shownVariables(accountId, options)
  const alert = sampleAlert(accountId, clock.now(), alertType)
  const message = sampleMessage(alert, { variables, baseUrl: options.baseUrl() })
  const runtime = { now: () => clock.now(), random: Math.random, uuid: () => randomUUID() }
  return kind.preview(draft, message, { clock, runtime })
}

/** Every variable that a template may use: those of alerts, and those of the account that they do not hide. */
export async function templateVariablesOf(accountId: string, options: PreviewOptions): Promise<TemplateVariable[]> {
  const variables = await shownVariables(accountId, options)
  const alert = sampleAlert(accountId, options.clock.now())
  const ofAlert = describeAlertVariables(sampleMessage(alert, { variables, baseUrl: options.baseUrl() }))
  const taken = new Set(ofAlert.map(({ name }) => name))
  const ofAccount = Object.entries(variables).filter(([name]) => !taken.has(name))
  return [
    ...ofAlert.map((variable) => ({ ...variable, source: 'alert' as const })),
    ...ofAccount.map(([name, sample]) => ({
      name,
      meaning: 'A variable of your account.',
      sample,
      source: 'account' as const,
    })),
  ]
}

async function shownVariables(accountId: string, { db, vault }: PreviewOptions): Promise<Record<string, string>> {
  const { values, hidden } = await readAccountVariables(db.pool, vault, accountId)
  const entries = Object.entries(values)
  return Object.fromEntries(entries.map(([key, value]) => [key, hidden.includes(value) ? maskOf(value) : value]))
}

/** The mask of an address is an address, so that what is made with it can still be rendered. */
const maskOf = (value: string): string => `${/^https?:\/\//i.exec(value)?.[0] ?? ''}${secretMask}`

import { secretMask } from '@vedette/checks'
import { templateProblem } from '@vedette/checks/template'
import type { FieldProblem } from '@vedette/wire'
import { z } from 'zod'
import type { ChangeSecret, ChannelConfig } from '../channel-kind.ts'

export const webhookMethods = ['GET', 'POST', 'PUT', 'HEAD', 'DELETE', 'PATCH'] as const

export interface WebhookPair {
  key: string
  value: string
  locked: boolean
}

export interface WebhookConfig extends ChannelConfig {
  name: string
  url: string
  method: (typeof webhookMethods)[number]
  /** null or empty: a JSON object with every variable. */
  template: string | null
  headers: WebhookPair[]
  queryParameters: WebhookPair[]
  webhookSecret: string | null
  webhookType: string | null
}

const pairs = z
  .array(
    z.strictObject({
      key: z.string().min(1).max(200),
      value: z.string().max(5000),
      locked: z.boolean().optional().describe('Never shown again.'),
    }),
  )
  .max(50)

/** Configuration of a WEBHOOK channel. Everything but `webhookType` may use `{{VARIABLE}}`. */
export const webhookConfig = z.strictObject({
  name: z.string().max(200).optional().describe('Name for people.'),
  url: z.string().min(1).max(2000).describe('Where to send. May be a template.'),
  method: z.enum(webhookMethods).optional(),
  template: z
    .string()
    .max(32_768)
    .nullable()
    .optional()
    .describe('Handlebars template of the body. If it is empty, a JSON object with every variable is sent.'),
  headers: pairs.optional(),
  queryParameters: pairs.optional(),
  webhookSecret: z.string().max(500).nullable().optional().describe('Signs every delivery.'),
  webhookType: z
    .string()
    .regex(/^WEBHOOK_[A-Z_]{1,40}$/)
    .nullable()
    .optional()
    .describe('Which preset the form offers. Does not change what is sent.'),
})

export const webhookDefaults = {
  name: '',
  url: '',
  method: 'POST',
  template: null,
  headers: [],
  queryParameters: [],
  webhookSecret: null,
  webhookType: null,
} as const

/** The same while it is being written. */
export const webhookDraft = webhookConfig.extend({ url: z.string().max(2000).optional() })

export const completeWebhook = (sent: ChannelConfig): WebhookConfig => completed(webhookConfig.parse(sent))

export const completeDraft = (sent: ChannelConfig): WebhookConfig => completed(webhookDraft.parse(sent))

function completed(parsed: z.infer<typeof webhookDraft>): WebhookConfig {
  const config = { ...webhookDefaults, ...parsed }
  return {
    ...config,
    url: config.url.trim(),
    headers: config.headers.map(withLock),
    queryParameters: config.queryParameters.map(withLock),
  }
}

const withLock = (pair: { key: string; value: string; locked?: boolean | undefined }): WebhookPair => ({
  ...pair,
  locked: pair.locked ?? false,
})

/** What is wrong with a complete URL, as the part of a sentence after its name. */
export function urlProblem(url: string): string | undefined {
  if (!URL.canParse(url)) return 'must be an absolute http or https URL'
  const { protocol, username, password } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return 'must be an absolute http or https URL'
  if (username !== '' || password !== '') return 'must not carry a user and password; send an Authorization header'
  return undefined
}

const tokenPattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
// The server sets the headers that frame the message: a second value would allow request smuggling.
const ownHeaders =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|proxy-.*)$/i

const headerText = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

/** Whether a header can carry the text. Values that templates insert are checked when they are filled in. */
export const isHeaderText = (text: string): boolean => headerText.test(text)

/**
 * Masks of stored secrets were replaced before: one that is left is the mask of an unlocked value, sent as the value.
 */
const maskProblem = (value: string): string | undefined =>
  value === secretMask ? 'is the mask of a secret; send the value itself' : undefined

const headerTextProblem = (value: string): string | undefined =>
  isHeaderText(value.trim()) ? undefined : 'must not hold line breaks or other characters that headers cannot carry'

export function webhookProblems(config: WebhookConfig): FieldProblem[] {
  const problems: FieldProblem[] = []
  const add = (path: string, message: string | undefined): void => {
    if (message !== undefined) problems.push({ path, message })
  }
  add('url', templateProblem(config.url) ?? (config.url.includes('{{') ? undefined : urlProblem(config.url)))
  add('template', config.template === null ? undefined : templateProblem(config.template))
  add('webhookSecret', config.webhookSecret === null ? undefined : templateProblem(config.webhookSecret))
  for (const [index, { key, value }] of config.headers.entries()) {
    if (!tokenPattern.test(key)) add(`headers.${index}.key`, 'must be a header name')
    if (ownHeaders.test(key)) add(`headers.${index}.key`, `must not be "${key}", which is set by the connection itself`)
    add(`headers.${index}.value`, maskProblem(value) ?? templateProblem(value) ?? headerTextProblem(value))
  }
  for (const [index, { value }] of config.queryParameters.entries()) {
    add(`queryParameters.${index}.value`, maskProblem(value) ?? templateProblem(value))
  }
  return problems
}

const sensitiveHeader = /authorization|cookie|token|secret|password|api-?key/i

function mapPairs(list: WebhookPair[], field: string, change: ChangeSecret): WebhookPair[] {
  const seen = new Map<string, number>()
  return list.map((pair) => {
    const number = (seen.get(pair.key) ?? 0) + 1
    seen.set(pair.key, number)
    const secret = pair.value !== '' && (pair.locked || sensitiveHeader.test(pair.key))
    return secret ? { ...pair, value: change(pair.value, `${field}.${pair.key}.${number}`) } : pair
  })
}

/** Secrets: the signing secret, locked pairs, and pairs with the name of a secret. */
export const mapWebhookSecrets = (config: WebhookConfig, change: ChangeSecret): WebhookConfig => ({
  ...config,
  webhookSecret: config.webhookSecret ? change(config.webhookSecret, 'webhookSecret') : config.webhookSecret,
  headers: mapPairs(config.headers, 'headers', change),
  queryParameters: mapPairs(config.queryParameters, 'queryParameters', change),
})

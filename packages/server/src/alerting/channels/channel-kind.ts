import type { EgressPolicy, FormSection } from '@vedette/checks'
import type { TemplateRuntime } from '@vedette/checks/template'
import type { AlertChannelPreview, AlertChannelType, Clock, FieldProblem } from '@vedette/wire'
import type { z } from 'zod'
import type { AlertMessage } from '../notifications/notification-row.ts'

/** A validated, complete configuration of a channel, secrets in the clear. */
export type ChannelConfig = Record<string, unknown>

/** A notification to send, with everything a message may print. */
export interface ChannelMessage {
  /** The same for every attempt: receivers drop messages they have seen. */
  notificationId: string
  /** 1 is the first. */
  attempt: number
  alert: AlertMessage
  /** Location of the run: its slug and its name; null for passive checks. */
  location: { slug: string; name: string } | null
  /** Account variables, secrets included. */
  variables: Readonly<Record<string, string>>
  /** Address of the web app, without a slash at the end. */
  baseUrl: string
}

/** Settings of the installation that a kind needs to send. */
export interface ChannelSettings {
  smtpUrl?: string
}

export interface SendContext {
  egress: EgressPolicy
  clock: Clock
  runtime: TemplateRuntime
  settings: ChannelSettings
  signal?: AbortSignal
}

export type RenderContext = Pick<SendContext, 'clock' | 'runtime'>

/** The outcome of one attempt. `response` is shown in the ledger, after scrubbing. */
export type SendOutcome =
  | { accepted: true; status?: number; response: string }
  | {
      accepted: false
      retryable: boolean
      status?: number
      response: string
      /** The receiver rate-limits; `retryAfterMs` is absent when it sent no delay. */
      rateLimited?: { retryAfterMs?: number }
    }

/** Replaces a secret; `path` names it within the config and survives reordering. */
export type ChangeSecret = (value: string, path: string) => string

/** A kind of alert channel: one folder and one line in `channels/index.ts`. */
export interface ChannelKind {
  type: AlertChannelType
  /** Name for people. */
  title: string
  /** The form of `config` in the web app. */
  form: readonly FormSection[]
  /** Initial values of the form. */
  defaults: ChannelConfig
  /** What the installation must set before it can send, as sentences; undefined when nothing is missing. */
  missing(settings: ChannelSettings): string | undefined
  /** Schema of `config`, strict and without defaults. */
  config: z.ZodType<ChannelConfig>
  /** The key and the fields of `config` shown in checks. Source: contract, "Resolved alert channels object". */
  shownOnChecks?: { key: string; fields: readonly string[] }
  /** Adds the defaults of fields that were not sent. */
  complete(sent: ChannelConfig): ChannelConfig
  /** Rules the schema cannot express. Paths start below `config`. */
  problems(config: ChannelConfig): FieldProblem[]
  /** A copy with every secret replaced. Empty secrets stay. */
  mapSecrets(config: ChannelConfig, change: ChangeSecret): ChannelConfig
  /** Dotted paths below `config` that validation never echoes. */
  secretPaths: readonly string[]
  /** Schema of a `config` that is being written: nothing is required yet. */
  draft: z.ZodType<ChannelConfig>
  /** What would be sent, rendered as for a delivery. The message holds masks in place of secrets, and so does the answer. */
  preview(draft: ChannelConfig, message: ChannelMessage, context: RenderContext): AlertChannelPreview
  deliver(config: ChannelConfig, message: ChannelMessage, context: SendContext): Promise<SendOutcome>
}

/** The part of a kind that delivers. */
export interface DeliveringKind extends Pick<ChannelKind, 'mapSecrets' | 'deliver'> {
  type: string
}

/** What a kind's folder provides: `render` is pure, `send` does the I/O. */
export interface ChannelKindParts<Config extends ChannelConfig, Rendered> extends Omit<
  ChannelKind,
  'config' | 'complete' | 'problems' | 'mapSecrets' | 'deliver'
> {
  config: z.ZodType<ChannelConfig>
  complete(sent: ChannelConfig): Config
  problems(config: Config): FieldProblem[]
  mapSecrets(config: Config, change: ChangeSecret): Config
  /** May throw `TemplateProblem`: the notification then fails with its text. */
  render(message: ChannelMessage, config: Config, context: RenderContext): Rendered
  send(rendered: Rendered, context: SendContext): Promise<SendOutcome>
}

import { defineChannel } from '../define-channel.ts'
import {
  completeWebhook,
  webhookDefaults,
  webhookDraft,
  mapWebhookSecrets,
  webhookConfig,
  webhookProblems,
  type WebhookConfig,
} from './config.ts'
import { webhookForm } from './form.ts'
import { previewWebhook } from './preview.ts'
import { renderWebhook, type RenderedWebhook } from './render.ts'
import { sendWebhook } from './send.ts'

/** An HTTP request to any address, its body from a template. */
export const webhookChannel = defineChannel<WebhookConfig, RenderedWebhook>({
  type: 'WEBHOOK',
  title: 'webhook',
  form: webhookForm,
  defaults: webhookDefaults,
  missing: () => undefined,
  config: webhookConfig,
  draft: webhookDraft,
  shownOnChecks: { key: 'webhook', fields: ['url', 'name', 'method', 'headers', 'queryParameters'] },
  complete: completeWebhook,
  problems: webhookProblems,
  mapSecrets: mapWebhookSecrets,
  secretPaths: ['webhookSecret', 'headers.*.value', 'queryParameters.*.value'],
  preview: previewWebhook,
  render: renderWebhook,
  send: sendWebhook,
})

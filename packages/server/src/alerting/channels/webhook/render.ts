import { alertTemplates, renderTemplate, TemplateProblem, type Encoding } from '@vedette/checks/template'
import type { ChannelMessage, RenderContext } from '../channel-kind.ts'
import { alertVariables, templateVariables } from '../variables.ts'
import { isHeaderText, urlProblem, type WebhookConfig } from './config.ts'
import { signatureHeaders } from './signature.ts'

/** One request, ready to send. Header names are lower case. */
export interface RenderedWebhook {
  url: URL
  method: string
  headers: Record<string, string>
  body: string | undefined
}

type Render = (template: string, encoding: Encoding) => string

/** Fills templates with the variables of a message. */
export function templatesOf(message: ChannelMessage, { runtime }: Pick<RenderContext, 'runtime'>): Render {
  const values = templateVariables(message)
  return (template, encoding) =>
    template.includes('{{') ? renderTemplate(alertTemplates, template, { values, encoding, runtime }) : template
}

export function renderWebhook(message: ChannelMessage, config: WebhookConfig, context: RenderContext): RenderedWebhook {
  const { clock } = context
  const render = templatesOf(message, context)
  const own = renderHeaders(config, render)
  const content = renderBody(message, config, own['content-type'], render)
  const secret = config.webhookSecret ? render(config.webhookSecret, 'text') : ''
  return {
    url: renderUrl(config, render),
    method: config.method,
    headers: {
      'user-agent': 'Vedette',
      accept: '*/*',
      ...(content && { 'content-type': content.type }),
      ...own,
      'x-service-delivery-attempt': String(message.attempt),
      ...signatureHeaders({ id: message.notificationId, body: content?.body ?? '', secret, sentAt: clock.now() }),
    },
    body: content?.body,
  }
}

export function renderUrl(config: WebhookConfig, render: Render): URL {
  const text = render(config.url, 'url').trim()
  const problem = urlProblem(text)
  if (problem !== undefined) throw new TemplateProblem(`the URL "${text.slice(0, 200)}" ${problem}`)
  const url = new URL(text)
  for (const { key, value } of config.queryParameters) {
    url.searchParams.append(render(key, 'text'), render(value, 'text'))
  }
  return url
}

export function renderHeaders(config: WebhookConfig, render: Render): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { key, value } of config.headers) {
    const name = key.toLowerCase()
    const text = render(value, 'header').trim()
    // `{{{x}}}` is inserted unencoded, and a line break would start another header.
    if (!isHeaderText(text)) {
      throw new TemplateProblem(`the header "${key}" holds characters that headers cannot carry`)
    }
    const before = headers[name]
    headers[name] = before === undefined ? text : `${before}, ${text}`
  }
  return headers
}

export function renderBody(
  message: ChannelMessage,
  { method, template }: WebhookConfig,
  contentType: string | undefined,
  render: Render,
): { type: string; body: string } | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined
  if (template === null || template.trim() === '')
    return { type: 'application/json', body: JSON.stringify(alertVariables(message)) }
  const looksLikeJson = /^\s*[[{"]/.test(template) && !/^\s*\{\{/.test(template)
  const type = contentType ?? (looksLikeJson ? 'application/json' : 'text/plain; charset=utf-8')
  return { type, body: render(template, encodingOf(type)) }
}

export function encodingOf(contentType: string): Encoding {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/json' || type.endsWith('+json')) return 'json'
  if (type === 'application/x-www-form-urlencoded') return 'url'
  return type === 'text/html' || type.endsWith('xml') ? 'html' : 'text'
}

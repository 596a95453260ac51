import { secretMask } from '@vedette/checks'
import { alertTemplates, namesOfTemplate, TemplateProblem } from '@vedette/checks/template'
import { nearestName, type AlertChannelPreview, type FieldProblem } from '@vedette/wire'
import type { ChannelConfig, ChannelMessage, RenderContext } from '../channel-kind.ts'
import { templateVariables } from '../variables.ts'
import { completeDraft, mapWebhookSecrets, webhookProblems, type WebhookConfig } from './config.ts'
import { encodingOf, renderBody, renderHeaders, renderUrl, templatesOf } from './render.ts'

/** The request that would be sent, part by part: one that cannot be rendered does not hide the others. */
export function previewWebhook(
  draft: ChannelConfig,
  message: ChannelMessage,
  context: RenderContext,
): AlertChannelPreview {
  const sent = completeDraft(draft)
  const config = mapWebhookSecrets(sent, () => secretMask)
  const render = templatesOf(message, context)
  const [url, urlProblem] = tried('url', () => (config.url === '' ? '' : renderUrl(config, render).href))
  const [headers = {}, headerProblem] = tried('headers', () => renderHeaders(config, render))
  const [body, bodyProblem] = tried('template', () => renderBody(message, config, headers['content-type'], render))
  const lines = { ...(body && { 'content-type': body.type }), ...headers }
  const request = [`${config.method} ${url ?? ''}`.trim(), ...Object.entries(lines).map((line) => line.join(': '))]
  const faults = faultsOf(sent)
  const found = [
    ...unknownNames(config, Object.keys(templateVariables(message))),
    ...[urlProblem, headerProblem, bodyProblem, body && jsonProblem(body)].filter((each) => each !== undefined),
  ]
  return {
    parts: [
      { title: 'Request', text: request.join('\n') },
      ...(body === undefined ? [] : [{ title: 'Body', text: body.body }]),
    ],
    problems: [...faults, ...found.filter(({ path }) => !faults.some((fault) => fault.path === path))],
  }
}

/** A stored secret comes as its mask, and an address may not be written yet. */
function faultsOf(sent: WebhookConfig): FieldProblem[] {
  const unmasked = ({ key, value, locked }: WebhookConfig['headers'][number]) => ({
    key,
    value: value === secretMask ? '' : value,
    locked,
  })
  const { headers, queryParameters } = sent
  const checked = { ...sent, headers: headers.map(unmasked), queryParameters: queryParameters.map(unmasked) }
  return webhookProblems(checked).filter(({ path }) => path !== 'url' || sent.url !== '')
}

function tried<T>(path: string, render: () => T): [T | undefined, FieldProblem | undefined] {
  try {
    return [render(), undefined]
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error
    return [undefined, { path, message: `cannot be rendered: ${error.message}` }]
  }
}

/** Names that are filled with nothing. */
function unknownNames(config: WebhookConfig, known: readonly string[]): FieldProblem[] {
  return templatesIn(config).flatMap(({ path, text }) => {
    const unknown = readableNames(text).filter((name) => !known.includes(name))
    return unknown.map((name) => ({ path, message: unknownName(name, nearestName(name, known)) }))
  })
}

const unknownName = (name: string, nearest: string | undefined): string =>
  `uses {{${name}}}, which is no variable and stays empty${nearest === undefined ? '' : `; did you mean {{${nearest}}}?`}`

const templatesIn = ({ url, template, headers, queryParameters }: WebhookConfig) => [
  { path: 'url', text: url },
  { path: 'template', text: template ?? '' },
  ...headers.map(({ value }, at) => ({ path: `headers.${at}.value`, text: value })),
  ...queryParameters.map(({ value }, at) => ({ path: `queryParameters.${at}.value`, text: value })),
]

/** Text that is no template at all is a problem of its own. */
function readableNames(text: string): string[] {
  const [names = []] = tried('', () => (text.includes('{{') ? namesOfTemplate(alertTemplates, text) : []))
  return names
}

function jsonProblem({ type, body }: { type: string; body: string }): FieldProblem | undefined {
  if (encodingOf(type) !== 'json') return undefined
  try {
    JSON.parse(body)
    return undefined
  } catch (error) {
    return { path: 'template', message: `does not render to JSON: ${(error as Error).message}` }
  }
}

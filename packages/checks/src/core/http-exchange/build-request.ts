import { readFileSync } from 'node:fs'
import type { JobVariable } from '@vedette/wire'
import { basicAuthorization, credentialsOf } from '../../net/http/credentials.ts'
import type { HttpRequest } from '../../net/http/http-message.ts'
import { TargetError } from '../../net/target-error.ts'
import { templateFiller, type FillTemplates, type TemplateScope } from '../../template/check-templates.ts'
import { TemplateProblem } from '../../template/template-problem.ts'
import type { HttpRequestSent } from './evidence.ts'
import type { HttpExchange } from './http-exchange.ts'

/** A request ready to send, and the same as results show it. */
export interface BuiltRequest {
  request: HttpRequest
  sent: HttpRequestSent
}

type Pair = readonly [name: string, value: string]

const packageFile = new URL('../../../package.json', import.meta.url)
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }

const usualHeaders: readonly Pair[] = [
  ['User-Agent', `Vedette/${version}`],
  ['Accept', '*/*'],
  ['Accept-Encoding', 'gzip, deflate, br'],
]

const contentTypes: Partial<Record<HttpExchange['bodyType'], string>> = {
  JSON: 'application/json',
  GRAPHQL: 'application/json',
  FORM: 'application/x-www-form-urlencoded',
}

const leadingTemplate = /^\{\{[^{}]+\}\}/
const holdsScheme = (value: string): boolean => /^https?:\/\//i.test(value)

/** Values are URI-encoded, except that of a first template that holds the scheme: encoded, it would not be a URL. */
export function renderUrl(template: string, fill: FillTemplates): string {
  const first = leadingTemplate.exec(template)?.[0] ?? ''
  const start = fill(first, (value) => (holdsScheme(value) ? value : encodeURIComponent(value)))
  return start + fill(template.slice(first.length), encodeURIComponent)
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TargetError('request', 'INVALID_URL', `"${text}" is not an http or https address`, { network: false })
  }
  return url
}

/** Adds to the query without changing its text: the target may depend on how it is encoded. */
function addParameters(url: URL, parameters: readonly Pair[]): void {
  if (parameters.length === 0) return
  const added = new URLSearchParams(parameters.map(([key, value]): [string, string] => [key, value])).toString()
  url.search = url.search === '' ? added : `${url.search}&${added}`
}

/** Basic authorisation from the check's own setting or the URL. The URL is sent without its credentials. */
function takeCredentials(url: URL, basicAuth: HttpExchange['basicAuth'], fill: FillTemplates): string | undefined {
  const ofUrl = credentialsOf(url)
  url.username = ''
  url.password = ''
  if (basicAuth !== null && (basicAuth.username !== '' || basicAuth.password !== '')) {
    return `${fill(basicAuth.username)}:${fill(basicAuth.password)}`
  }
  return ofUrl
}

function bodyOf({ body, bodyType }: HttpExchange, fill: FillTemplates): string | undefined {
  if (bodyType === 'NONE' || body === '') return undefined
  const text = fill(body)
  return bodyType === 'GRAPHQL' && !isJsonObject(text) ? JSON.stringify({ query: text }) : text
}

function isJsonObject(text: string): boolean {
  if (!text.trimStart().startsWith('{"') && !/^\s*\{\s*"/.test(text)) return false
  try {
    return typeof JSON.parse(text) === 'object'
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return false
  }
}

/** The check's headers, then what they leave out. */
function headersOf(own: readonly Pair[], credentials: string | undefined, contentType: string | undefined): Pair[] {
  const names = new Set(own.map(([name]) => name.toLowerCase()))
  const more: Pair[] = [...usualHeaders]
  if (contentType !== undefined) more.push(['Content-Type', contentType])
  if (credentials !== undefined) more.push(['Authorization', basicAuthorization(credentials)])
  return [...own, ...more.filter(([name]) => !names.has(name.toLowerCase()))]
}

/** Names of headers that hold a secret. A redirect to another origin does not carry them. */
function confidentialNames(
  request: HttpExchange,
  headers: readonly Pair[],
  variables: readonly JobVariable[],
): ReadonlySet<string> {
  const secrets = variables.filter(({ secret, value }) => secret && value !== '').map(({ value }) => value)
  const locked = request.headers.filter((header) => header.locked).map(({ key }) => key)
  const holding = headers.filter(([, value]) => secrets.some((secret) => value.includes(secret))).map(([name]) => name)
  return new Set([...locked, ...holding].map((name) => name.toLowerCase()))
}

function joined(pairs: readonly Pair[]): Record<string, string> {
  const values = new Map<string, string>()
  for (const [name, value] of pairs) {
    const before = values.get(name)
    values.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(values)
}

function build(request: HttpExchange, scope: TemplateScope): BuiltRequest {
  const fill = templateFiller(scope)
  const rendered = (pairs: HttpExchange['headers']) => pairs.map(({ key, value }): Pair => [key, fill(value)])
  const url = parseUrl(renderUrl(request.url, fill))
  const parameters = rendered(request.queryParameters)
  addParameters(url, parameters)
  url.hash = ''
  const credentials = takeCredentials(url, request.basicAuth, fill)
  const body = bodyOf(request, fill)
  const contentType = body === undefined ? undefined : contentTypes[request.bodyType]
  const headers = headersOf(rendered(request.headers), credentials, contentType)
  return {
    request: {
      method: request.method,
      url,
      headers,
      body: body === undefined ? undefined : Buffer.from(body),
      family: request.ipFamily,
      followRedirects: request.followRedirects,
      skipSSL: request.skipSSL,
      confidential: confidentialNames(request, headers, scope.variables),
      binaryAsText: request.assertions.some(({ source }) => source === 'TEXT_BODY'),
    },
    sent: {
      method: request.method,
      url: url.href,
      headers: joined(headers),
      params: joined(parameters),
      data: body ?? '',
    },
  }
}

/**
 * Fills the templates of a request and completes it. Throws a `TargetError` naming what cannot be filled or is no valid
 * URL: the mistake is in the check, so the run fails.
 */
export function buildRequest(request: HttpExchange, scope: TemplateScope): BuiltRequest {
  try {
    return build(request, scope)
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error
    throw new TargetError('template', 'TEMPLATE', error.message, { network: false })
  }
}

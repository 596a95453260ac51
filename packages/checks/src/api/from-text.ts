import type { PastedCheck } from '../core/check-type.ts'
import { apiMethods } from './request-shape.ts'
import { shellWords } from './shell-words.ts'

/** What a curl command says of its request. */
interface Request {
  url?: string
  method?: string
  headers: { key: string; value: string; locked: boolean }[]
  data: string[]
  isGet?: boolean
  user?: string
  skipSSL?: boolean
  followRedirects?: boolean
}

type Read = (request: Request, value: string) => void

const header: Read = (request, value) => {
  const colon = value.indexOf(':')
  if (colon > 0)
    request.headers.push({ key: value.slice(0, colon).trim(), value: value.slice(colon + 1).trim(), locked: false })
}
const data: Read = (request, value) => void request.data.push(value)
/** Their value says nothing about the request. */
const ignored: Read = () => undefined

/** Options that take a value. */
const valued: Readonly<Record<string, Read>> = {
  '-X': (request, value) => void (request.method = value.toUpperCase()),
  '-H': header,
  '-d': data,
  '--data-raw': data,
  '--data-binary': data,
  '--data-ascii': data,
  '--data-urlencode': data,
  '--json': (request, value) => {
    data(request, value)
    header(request, 'content-type: application/json')
  },
  '-u': (request, value) => void (request.user = value),
  '-A': (request, value) => header(request, `user-agent: ${value}`),
  '-b': (request, value) => header(request, `cookie: ${value}`),
  '-e': (request, value) => header(request, `referer: ${value}`),
  '--url': (request, value) => void (request.url = value),
  '-o': ignored,
  '-m': ignored,
  '-w': ignored,
  '--connect-timeout': ignored,
  '--retry': ignored,
}

/** Options without a value. */
const flags: Readonly<Record<string, (request: Request) => void>> = {
  '-k': (request) => void (request.skipSSL = true),
  '-L': (request) => void (request.followRedirects = true),
  '-G': (request) => void (request.isGet = true),
  '-I': (request) => void (request.method = 'HEAD'),
}

const longNames: Readonly<Record<string, string>> = {
  '--request': '-X',
  '--header': '-H',
  '--data': '-d',
  '--user': '-u',
  '--user-agent': '-A',
  '--cookie': '-b',
  '--referer': '-e',
  '--insecure': '-k',
  '--location': '-L',
  '--get': '-G',
  '--head': '-I',
  '--output': '-o',
  '--max-time': '-m',
  '--write-out': '-w',
}

/** An http or https address, or a curl command as browsers copy it. */
export function apiCheckFromText(text: string): PastedCheck | undefined {
  const trimmed = text.trim()
  const request = /^curl\s/i.test(trimmed)
    ? requestOf(shellWords(trimmed).slice(1))
    : { url: trimmed, headers: [], data: [] }
  const url = request.url === undefined ? undefined : wholeUrl(request.url)
  return url === undefined ? undefined : { name: new URL(url).host, values: valuesOf(request, url) }
}

function requestOf(words: readonly string[]): Request {
  const request: Request = { headers: [], data: [] }
  for (let at = 0; at < words.length; at++) {
    const [word, inline] = splitOption(words[at] ?? '')
    const name = longNames[word] ?? word
    const read = valued[name]
    if (read !== undefined) read(request, inline ?? words[++at] ?? '')
    else if (word.startsWith('-')) flags[name]?.(request)
    else request.url ??= word
  }
  return request
}

/** `-XPOST` and `--request=POST` hold name and value in one word. */
function splitOption(word: string): [string, string | undefined] {
  if (/^-[XHduAbe]./.test(word)) return [word.slice(0, 2), word.slice(2)]
  const equals = word.startsWith('--') ? word.indexOf('=') : -1
  return equals === -1 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)]
}

/** curl completes an address by http; a person who pastes a bare name of the internet means https. */
function wholeUrl(address: string): string | undefined {
  const isBare = !/^[a-z][a-z0-9+.-]*:\/\//i.test(address)
  if (isBare && !/^[\w.-]+\.[a-z]{2,}([:/?#]|$)/i.test(address)) return undefined
  const url = isBare ? `https://${address}` : address
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined
}

function valuesOf(request: Request, url: string): PastedCheck['values'] {
  const sent = request.data.join('&')
  const body = request.isGet ? '' : sent
  return {
    'request.method': methodOf(request, body),
    'request.url': request.isGet && sent !== '' ? `${url}${url.includes('?') ? '&' : '?'}${sent}` : url,
    'request.headers': request.headers,
    'request.body': body,
    'request.bodyType': bodyTypeOf(request, body),
    ...(request.user !== undefined && { 'request.basicAuth': credentialsOf(request.user) }),
    ...(request.skipSSL && { 'request.skipSSL': true }),
  }
}

const methodOf = ({ method }: Request, body: string): string =>
  apiMethods.find((each) => each === method) ?? (body === '' ? 'GET' : 'POST')

function credentialsOf(user: string): { username: string; password: string } {
  const colon = user.indexOf(':')
  return colon === -1
    ? { username: user, password: '' }
    : { username: user.slice(0, colon), password: user.slice(colon + 1) }
}

function bodyTypeOf({ headers }: Request, body: string): string {
  if (body === '') return 'NONE'
  const type = headers.find(({ key }) => key.toLowerCase() === 'content-type')?.value ?? ''
  if (type.includes('json') || (type === '' && /^\s*[[{]/.test(body))) return 'JSON'
  return type === '' || type.includes('form-urlencoded') ? 'FORM' : 'RAW'
}

import { LRUCache } from 'lru-cache'
import { encodedForms } from './encoded-forms.ts'
import { cutText, storable } from '../plain-text.ts'

/** Replaces secrets in results. */
export const scrubbed = '******'

/** Shorter secrets are replaced only where they are the whole value: inside of texts they occur too often by chance. */
const shortestInText = 4

const sensitiveHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key'])
/** Shorter parts of a secret are not searched, because they occur in ordinary words and numbers too. */
const shortestExcerpt = 6

/** Objects whose keys come from users and targets. */
const freeKeys = new Set(['headers', 'params'])

/** Replaces secrets in texts and in whole values, and what cannot be stored along with them. */
export interface Scrubber {
  text(text: string): string
  /** A copy with every string scrubbed and sensitive headers replaced. Numbers, booleans and null stay. */
  value<Value>(value: Value): Value
  /** Scrubs a text that may have been taken out of the middle of a secret. */
  excerpt(text: string): string
  /**
   * Length of the longest form of a secret. A text that is to be cut must keep this many characters beyond the cut
   * until it is scrubbed.
   */
  longest: number
}

/** Characters of a text that are kept with a result. */
const storedTextLimit = 65_536

/** True when some text in the value is too long to be kept whole. */
export function hasLongText(value: unknown): boolean {
  if (typeof value === 'string') return value.length > storedTextLimit
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLongText)
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)

/** Longer forms are searched one by one, because the engine refuses very large patterns. */
const longestInPattern = 100
const formsPerPattern = 300

/** Replaces all forms of secrets, longer ones first, so that a short form does not leave the rest of a longer one. */
function replacerOf(forms: readonly string[]): (text: string) => string {
  const longestFirst = forms.toSorted((a, b) => b.length - a.length)
  const long = longestFirst.filter(({ length }) => length > longestInPattern)
  const short = longestFirst.slice(long.length).map(escaped)
  const patterns: RegExp[] = []
  for (let at = 0; at < short.length; at += formsPerPattern) {
    patterns.push(new RegExp(short.slice(at, at + formsPerPattern).join('|'), 'g'))
  }
  return (text) => [...long, ...patterns].reduce((clean: string, form) => clean.replaceAll(form, scrubbed), text)
}

function valueScrubber(text: (text: string) => string) {
  const scrub = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map((item) => scrub(item, ''))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => scrubEntry(name, key, item)))
  }
  const scrubEntry = (parent: string, key: string, item: unknown): [string, unknown] => {
    if (parent === 'headers' && sensitiveHeaders.has(key.toLowerCase())) return [key, scrubbed]
    return [freeKeys.has(parent) ? text(key) : key, scrub(item, key)]
  }
  return scrub
}

/**
 * Makes a scrubber for these secrets in all their usual forms: raw, URL-encoded, base64, JSON-escaped and the like.
 * Texts are cut to the length that is stored, without leaving a part of a secret at the cut.
 */
export function createScrubber(secrets: Iterable<string>): Scrubber {
  const known = [...new Set(secrets)].filter((secret) => secret !== '')
  const whole = new Set(known.flatMap((secret) => [secret, secret.trim()]).filter((secret) => secret !== ''))
  const inText = known.filter((secret) => secret.trim().length >= shortestInText)
  const forms = [...new Set(inText.flatMap(encodedForms))]
  const replace = replacerOf(forms)
  const longest = forms.reduce((length, form) => Math.max(length, form.length), 0)
  const replaced = (input: string) => storable(replace(input))
  const text = (input: string) => {
    if (whole.has(input)) return scrubbed
    if (input.length <= storedTextLimit + longest) return cutText(replaced(input), storedTextLimit)
    // A secret that the first cut split is not found, so the end of the text is cut off as well.
    const clean = replaced(cutText(input, storedTextLimit + longest))
    return cutText(clean, Math.min(storedTextLimit, clean.length - longest))
  }
  const scrub = valueScrubber(text)
  const excerpt = (input: string) => {
    const partOfSecret = input.length >= shortestExcerpt && forms.some((form) => form.includes(input))
    return partOfSecret ? scrubbed : text(input)
  }
  return { text, value: <Value>(value: Value) => scrub(value, '') as Value, excerpt, longest }
}

/** A scrubber takes some ten kilobytes, and the checks of an account often share their secrets. */
const keptScrubbers = new LRUCache<string, Scrubber>({ max: 100 })

/** The same for a run: to make a scrubber costs more than to use it, so that of earlier runs with these secrets is kept. */
export function scrubberFor(secrets: readonly string[]): Scrubber {
  const key = JSON.stringify(secrets)
  const kept = keptScrubbers.get(key)
  if (kept !== undefined) return kept
  const made = createScrubber(secrets)
  keptScrubbers.set(key, made)
  return made
}

/** Cookie values this long are secrets by themselves; shorter ones only together with their name. */
const shortestCookie = 6

const cookieSecrets = (cookies: readonly string[]) =>
  cookies.flatMap((cookie) => {
    const pair = cookie.trim()
    const value = pair.slice(pair.indexOf('=') + 1)
    return value.length >= shortestCookie ? [pair, value] : [pair]
  })

function credentialsIn(value: string): string[] {
  const [scheme = '', ...rest] = value.trim().split(/\s+/)
  const credentials = rest.join(' ')
  if (credentials === '') return [value]
  if (scheme.toLowerCase() !== 'basic') return [value, credentials]
  const pair = Buffer.from(credentials, 'base64').toString('utf8')
  const password = pair.slice(pair.indexOf(':') + 1)
  return [value, credentials, pair, password]
}

/** Secret values of headers: credentials, keys and cookies, wherever they came from. */
export function headerSecrets(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([key, value]) => {
    const name = key.toLowerCase()
    if (name === 'cookie') return [value, ...cookieSecrets(value.split(';'))]
    if (name === 'set-cookie') return cookieSecrets(value.split('\n').map((line) => line.split(';')[0] ?? ''))
    if (name === 'authorization' || name === 'proxy-authorization') return credentialsIn(value)
    return sensitiveHeaders.has(name) ? [value] : []
  })
}

import type { Kind } from './setting.ts'

/** Any text. */
export const anyText = (expected: string): Kind<string> => ({ parse: (text) => text, expected })

/** A text of a form. */
export const textLike = (form: RegExp, expected: string): Kind<string> => ({
  parse: (text) => (form.test(text) ? text : undefined),
  expected,
})

/** A host name; the empty text for the words `none` and `off`. */
export const nameOrNone: Kind<string> = {
  parse(text) {
    if (/^(none|off)$/i.test(text)) return ''
    // Neither asks DNS: a look-up of them proves nothing.
    if (/^[\d.]+$/.test(text) || /(^|\.)localhost\.?$/i.test(text)) return undefined
    return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(text) ? text : undefined
  },
  expected: 'a host name that DNS must look up (no address, not localhost), none or off',
}

/** One of a few words, in any case of letters. */
export const oneOf = <const T extends string>(words: readonly T[]): Kind<T> => ({
  parse: (text) => words.find((word) => word === text.toLowerCase()),
  expected: `one of ${words.join(', ')}`,
})

/** A whole number; both bounds belong to it. */
export const wholeNumber = (min: number, max: number): Kind<number> => ({
  parse: (text) => (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined),
  expected: `a whole number from ${min} to ${max}`,
})

/** Seconds as text, milliseconds as value; the bounds are seconds. */
export const seconds = (min: number, max: number): Kind<number> => inMs(wholeNumber(min, max), 1000)

/** Hours as text, milliseconds as value; the bounds are hours. */
export const hours = (min: number, max: number): Kind<number> => inMs(wholeNumber(min, max), 60 * 60_000)

const inMs = ({ parse, expected }: Kind<number>, unitMs: number): Kind<number> => ({
  parse: (text) => {
    const value = parse(text)
    return value === undefined ? undefined : value * unitMs
  },
  expected,
})

/** `on` or `off`. */
export const onOrOff: Kind<boolean> = {
  parse: (text) =>
    new Map([
      ['on', true],
      ['off', false],
    ]).get(text.toLowerCase()),
  expected: 'one of on, off',
}

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

/** A URL of one of the protocols, as written. */
export const urlWith = (protocols: readonly string[], expected: string): Kind<string> => ({
  parse: (text) => (protocols.includes(urlOf(text)?.protocol ?? '') ? text : undefined),
  expected,
})

/** Where people reach a server: its origin, without a slash at the end. */
export const origin: Kind<string> = {
  parse(text) {
    const url = urlOf(text)
    return url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' ? url.origin : undefined
  },
  expected: 'an http or https URL without path',
}

/** Where a program reaches a server, in its normal form. */
export const serverAddress: Kind<string> = {
  parse(text) {
    const url = urlOf(text)
    const isUsable = url && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === ''
    return isUsable ? url.href : undefined
  },
  expected: 'an http or https address without user name or password',
}

/** A proxy: `http://` or `https://` with a host, maybe with user and password. */
export const proxyAddress: Kind<string> = {
  parse(text) {
    const url = urlOf(text)
    const isUsable = url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' && url.search === ''
    return isUsable ? url.href : undefined
  },
  expected: 'the http or https address of a proxy, without path',
}

/** Hosts, separated by commas or blanks, in small letters. */
export const hostList: Kind<string[]> = {
  parse(text) {
    const hosts = text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((host) => host !== '')
    return hosts.every((host) => /^[a-z0-9_.*:/[\]-]+$/.test(host)) ? hosts : undefined
  },
  expected: 'host names, addresses or CIDR ranges, separated by commas',
}

/** An identity provider: https, or http on this machine. */
export const issuer: Kind<string> = {
  parse(text) {
    const url = urlOf(text)
    const isOwn = url?.protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
    return url?.protocol === 'https:' || isOwn ? text : undefined
  },
  expected: 'an https address (http on this machine only)',
}

/** Domain names, separated by commas. */
export const domains: Kind<string[]> = {
  parse(text) {
    const names = text.split(',').map((part) => part.trim().toLowerCase())
    return names.every((name) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name)) ? names : undefined
  },
  expected: 'domain names, separated by commas',
}

/** IP addresses or CIDR ranges, separated by commas. */
export const addressRanges: Kind<string[]> = {
  parse(text) {
    const parts = text.split(',').map((part) => part.trim())
    return parts.every((part) => /^[0-9a-f.:]+(\/\d{1,3})?$/i.test(part)) ? parts : undefined
  },
  expected: 'addresses or CIDR ranges, separated by commas',
}

/** Names of headers that say an account, separated by commas, in small letters. */
export const accountHeaders: Kind<string[]> = {
  parse(text) {
    const names = text.split(',').map((name) => name.trim().toLowerCase())
    return names.every((name) => /^x-[a-z0-9-]{1,100}-account$/.test(name)) ? names : undefined
  },
  expected: 'names of headers like x-acme-account, separated by commas',
}

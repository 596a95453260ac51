const base64Alphabets = ['base64', 'base64url'] as const

/**
 * Base64 of the secret alone, and for each of the three alignments the part that does not depend on the text around the
 * secret: a target may encode a whole request that contains the secret.
 */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8')
  return base64Alphabets.flatMap((alphabet) => {
    const alone = bytes.toString(alphabet).replaceAll('=', '')
    const aligned = [0, 1, 2].map((shift) => {
      const text = Buffer.concat([Buffer.alloc(shift), bytes])
        .toString(alphabet)
        .replaceAll('=', '')
      const from = [0, 2, 3][shift] ?? 0
      const certain = Math.floor(((shift + bytes.length) * 8) / 6)
      return text.slice(from, certain)
    })
    return [alone, ...aligned.filter((part) => part.length >= 8)]
  })
}

/** A reserved character may split a secret in two. Parts shorter than this occur in ordinary text too often. */
const shortestPart = 4

const lowerHex = (encoded: string) => encoded.replaceAll(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase())

/** `encodeURIComponent` fails on half of a surrogate pair, which UTF-8 cannot carry either. */
const wellFormed = (text: string) => Buffer.from(text, 'utf8').toString('utf8')
const uriEncoded = (text: string) => encodeURIComponent(wellFormed(text))

function urlForms(secret: string): string[] {
  const strict = uriEncoded(secret).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  const encoded = [uriEncoded(secret), strict, encodeURI(wellFormed(secret)), ...parsedForms(secret)]
  const withPlus = encoded.map((text) => text.replaceAll('%20', '+'))
  return [...encoded, ...withPlus].flatMap((text) => [text, lowerHex(text)])
}

/** How URL parsers write a value that was inserted unencoded: in path, query and form data. */
function parsedForms(secret: string): string[] {
  const form = new URLSearchParams({ '': secret }).toString().slice(1)
  const inQuery = new URL(`http://h/?${secret}`)
  const inPath = new URL(`http://h/x${secret}`)
  const parts = [inQuery.search.slice(1), inQuery.hash.slice(1), inPath.pathname.slice(2), inPath.search.slice(1)]
  return [form, ...parts.filter((part) => part.length >= shortestPart)]
}

const unicodeEscaped = (text: string) =>
  text.replaceAll(/[^\x20-\x7e]|[<>&'"]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

function jsonForms(secret: string): string[] {
  const once = JSON.stringify(secret).slice(1, -1)
  const twice = JSON.stringify(once).slice(1, -1)
  return [once, twice, once.replaceAll('/', '\\/'), unicodeEscaped(secret), unicodeEscaped(once)]
}

function htmlForms(secret: string): string[] {
  const basic = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const quoted = basic.replaceAll('"', '&quot;')
  return [basic, quoted, ...['&#39;', '&#x27;', '&apos;'].map((quote) => quoted.replaceAll("'", quote))]
}

function hexForms(secret: string): string[] {
  const hex = Buffer.from(secret, 'utf8').toString('hex')
  return [hex, hex.toUpperCase()]
}

const plusForSpace = (text: string) => text.replaceAll(' ', '+')

/** The forms in which a target may send a secret back. */
export function encodedForms(secret: string): string[] {
  const trimmed = secret.trim()
  const texts = trimmed === secret ? [secret] : [secret, trimmed]
  const forms = texts.flatMap((text) => {
    const once = [text, ...urlForms(text), ...jsonForms(text), ...jsonForms(plusForSpace(text)), plusForSpace(text)]
    return [...once, ...[...new Set(once)].flatMap(base64Forms), ...htmlForms(text), ...hexForms(text)]
  })
  return [...new Set(forms)].filter((form) => form !== '')
}

import { plainText } from './plain-data.ts'

/** Where a rendered text goes, which decides how `{{x}}` is encoded. */
export type Encoding = 'json' | 'url' | 'header' | 'html' | 'text'

/** Encodes every value in the same way, wherever it is inserted. */
export type EncodeText = (text: string) => string

const htmlEntities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  '=': '&#61;',
}
export const escapeHtml = (text: string): string => text.replace(/[&<>"'`=]/g, (char) => htmlEntities[char] ?? char)

/** One line of Latin-1 without control characters; other characters are percent-encoded. */
const headerText = (text: string): string =>
  wellFormed(text)
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/[^\u0020-\u00ff]/gu, encodeURIComponent)

// A lone half of a surrogate pair has no UTF-8 form and would make the encoders throw.
const wellFormed = (text: string): string => Buffer.from(text, 'utf8').toString('utf8')

/** Encodes values for the position at which they are inserted, which it knows from the output before. */
export interface Encoder {
  /** Text of the template itself, or a raw value. */
  passed(text: string): void
  encode(value: unknown): string
}

const encoders = { html: escapeHtml, header: headerText, text: (text: string) => text }

export function encoderFor(encoding: Encoding | EncodeText): Encoder {
  if (encoding === 'json') return jsonEncoder()
  if (encoding === 'url') return urlEncoder()
  const encode = typeof encoding === 'function' ? encoding : encoders[encoding]
  return { passed: () => undefined, encode: (value) => encode(plainText(value)) }
}

/** Inside a JSON string: escaped text. Outside: a JSON value, whatever the value's type. */
function jsonEncoder(): Encoder {
  let inString = false
  let escaped = false
  return {
    passed(text) {
      for (const char of text) {
        if (escaped) escaped = false
        else if (inString && char === '\\') escaped = true
        else if (char === '"') inString = !inString
      }
    },
    encode(value) {
      if (inString) return JSON.stringify(plainText(value)).slice(1, -1)
      return typeof value === 'string' && isJsonScalar(value) ? value : JSON.stringify(value ?? null)
    },
  }
}

// Account variables are text: in `{"id": {{TEAM_ID}} }` the text "42" means the number.
const isJsonScalar = (text: string): boolean => /^(?:-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?|true|false|null)$/.test(text)

/** Percent-encoded, except at the very start, where a value can only be a base URL. */
function urlEncoder(): Encoder {
  let started = false
  return {
    passed(text) {
      started ||= text.length > 0
    },
    encode: (value) => (started ? encodeURIComponent(wellFormed(plainText(value))) : plainText(value)),
  }
}

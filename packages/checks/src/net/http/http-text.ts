import { TextDecoder } from 'node:util'
import { LRUCache } from 'lru-cache'

const textual = /^text\/|json|xml|javascript|ecmascript|x-www-form-urlencoded|graphql|yaml|csv|multipart\//
const binary =
  /^(image|audio|video|font|model)\/|^application\/(octet-stream|zip|gzip|x-gzip|x-tar|x-bzip2?|x-7z-compressed|x-rar-compressed|vnd\.rar|pdf|wasm|java-archive|msword|protobuf|x-protobuf|grpc|cbor|msgpack|x-shockwave-flash|vnd\.(ms-|openxmlformats|oasis|android))/

const sniffedBytes = 1024

/** Whether a response body is binary, from its content type; without one, from a NUL byte near its start. */
function isBinary(type: string, bytes: Buffer): boolean {
  if (textual.test(type)) return false
  if (type === '') return bytes.subarray(0, sniffedBytes).includes(0)
  return binary.test(type)
}

const typeOf = (contentType: string | undefined): string =>
  (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

const charsetOf = (contentType: string | undefined): string =>
  /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8'

const decoders = new LRUCache<string, TextDecoder>({ max: 50, memoMethod: openDecoder })

/** An unknown charset is read as UTF-8: other bytes show as replacement characters. */
const decoderFor = (charset: string): TextDecoder => decoders.memo(charset.toLowerCase())

function openDecoder(label: string): TextDecoder {
  try {
    return new TextDecoder(label)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return new TextDecoder('utf-8')
  }
}

/**
 * Removes NUL, the one character of text that databases refuse: a target must not be able to make its result
 * unstorable.
 */
export function withoutNul(text: string): string {
  if (!text.includes('\0')) return text
  // A body may consist of NUL alone: replacing ten million in a string would block all other runs for seconds.
  const units = Buffer.from(text, 'utf16le')
  for (let at = 0; at < units.length; at += 2) {
    if (units[at] !== 0 || units[at + 1] !== 0) continue
    units[at] = 0xfd
    units[at + 1] = 0xff
  }
  return units.toString('utf16le')
}

export interface TextOptions {
  contentType: string | undefined
  /** A content coding that could not be undone. */
  unknownCoding: string | undefined
  binaryAsText: boolean
}

/** The text of a body, or a notice in its place when it is not text. */
export function bodyText(bytes: Buffer, { contentType, unknownCoding, binaryAsText }: TextOptions): string {
  if (bytes.length === 0) return ''
  if (unknownCoding !== undefined) return `[body compressed with ${unknownCoding}, ${bytes.length} bytes, not shown]`
  const type = typeOf(contentType)
  if (!binaryAsText && isBinary(type, bytes)) {
    return `[binary content, ${type === '' ? 'no content type' : type}, ${bytes.length} bytes, not shown]`
  }
  return withoutNul(decoderFor(charsetOf(contentType)).decode(bytes))
}

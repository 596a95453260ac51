import type { IncomingMessage } from 'node:http'
import { codeOf, TargetError } from '../target-error.ts'
import { establishedTrouble } from '../tls/tls-trouble.ts'

/** Largest head of a response in bytes. */
export const maxHeaderSize = 64 * 1024

/** What the parser found, in the words of a person where its own are not clear. */
const headFindings: Readonly<Record<string, string>> = {
  HPE_INVALID_CONSTANT: 'it does not begin as an HTTP response does',
  HPE_INVALID_VERSION: 'its HTTP version does not exist',
  HPE_INVALID_STATUS: 'its status is not a number of three digits',
  HPE_INVALID_CONTENT_LENGTH: 'its Content-Length is not a number, or too large a one',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'it has a second Content-Length, or one beside Transfer-Encoding',
  HPE_INVALID_TRANSFER_ENCODING: 'its Transfer-Encoding is wrong, or stands beside a Content-Length',
  HPE_INVALID_HEADER_TOKEN: 'a header has a character that headers must not have',
}

/** The parser's own words. */
const findingOf = (error: Error): string => {
  const text = 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message
  return text.replace(/^Parse Error: /, '')
}

/** An error before the response head was complete. */
export function headTrouble(error: Error, peer: string, answered: boolean): TargetError {
  const code = codeOf(error)
  if (code === 'HPE_HEADER_OVERFLOW') {
    const text = `the response headers of ${peer} are larger than ${maxHeaderSize / 1024} kB`
    return new TargetError('firstByte', code, text)
  }
  if (code.startsWith('HPE_')) {
    const finding = headFindings[code]
    const own = findingOf(error)
    const text = `the answer of ${peer} is not valid HTTP: ${finding === undefined ? own : `${finding} (${own})`}`
    return new TargetError('firstByte', code, text)
  }
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    const when = answered ? 'in the middle of the response headers' : 'without an answer'
    return new TargetError('firstByte', code, `${peer} closed or reset the connection ${when}`)
  }
  const trouble = establishedTrouble(error, peer)
  return trouble ?? new TargetError('firstByte', code, `the exchange with ${peer} failed: ${error.message}`)
}

/** An error in the middle of a body of which `received` bytes had arrived. */
export function bodyTrouble(error: Error, response: IncomingMessage, peer: string, received: number): TargetError {
  const code = codeOf(error)
  const expected = response.headers['content-length']
  const soFar = `${received}${expected === undefined ? '' : ` of ${expected}`} bytes had arrived`
  if (code.startsWith('HPE_')) {
    const text = `the body sent by ${peer} has malformed chunks (${findingOf(error)}): ${soFar}`
    return new TargetError('download', code, text, { network: false })
  }
  const tls = establishedTrouble(error, peer)
  if (tls !== undefined) return tls
  const chunked = response.headers['transfer-encoding'] !== undefined ? ', and the last chunk had not' : ''
  const text = `${peer} closed the connection before the answer was complete: ${soFar}${chunked}`
  return new TargetError('download', code, text, { network: false })
}

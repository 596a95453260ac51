import { createHmac, timingSafeEqual } from 'node:crypto'

const stepSeconds = 30
const digits = 6
/** Codes of the step before and after count too: the clock of a phone may be off, and typing takes time. */
const tolerance = 1

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base 32 without padding (RFC 4648), as authenticators take secrets. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(held >> (bits - 5)) & 31]
    held &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + alphabet[(held << (5 - bits)) & 31]
}

/** The code of a time step (RFC 4226, RFC 6238 with SHA-1, as every authenticator knows it). */
export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = (mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** digits
  return String(number).padStart(digits, '0')
}

export const stepAt = (nowMs: number): number => Math.floor(nowMs / 1000 / stepSeconds)

/** The time step that a code is of, undefined when it is none of now. */
export function stepOf(secret: Uint8Array, code: string, nowMs: number): number | undefined {
  const sent = Buffer.from(code)
  const now = stepAt(nowMs)
  for (let step = now - tolerance; step <= now + tolerance; step++) {
    const expected = Buffer.from(codeAt(secret, step))
    if (sent.length === expected.length && timingSafeEqual(sent, expected)) return step
  }
  return undefined
}

/** The address that authenticators read from a QR code. */
export function otpauthUri(secret: Uint8Array, email: string): string {
  const issuer = 'Vedette'
  const query = new URLSearchParams({
    secret: base32(secret),
    issuer,
    algorithm: 'SHA1',
    digits: String(digits),
    period: String(stepSeconds),
  })
  return `otpauth://totp/${encodeURIComponent(`${issuer}:${email}`)}?${query.toString()}`
}

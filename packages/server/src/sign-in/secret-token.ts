import { createHash, randomBytes } from 'node:crypto'

/** A random bearer secret and what is stored of it. */
export interface SecretToken {
  raw: string
  hash: Buffer
  /** The last characters, for people to tell keys apart. */
  masked: string
}

export const hashToken = (raw: string): Buffer => createHash('sha256').update(raw).digest()

/** 256 random bits behind a prefix that says what the secret is for. */
export function mintToken(prefix: string): SecretToken {
  const raw = `${prefix}${randomBytes(32).toString('base64url')}`
  return { raw, hash: hashToken(raw), masked: maskToken(raw) }
}

export const maskToken = (raw: string): string => `***${raw.slice(-4)}`

import { createHash, randomBytes } from 'node:crypto'

/** A random bearer secret and what is stored of it. */
export interface SecretToken {
  raw: string
  hash: Buffer
  /** The last characters, for people to tell keys apart. */
  masked: string
}

/** 256 random bits behind a prefix that says what the secret is for. */
export function mintToken(prefix: string): SecretToken {
  const raw = `${prefix}${randomBytes(32).toString('base64url')}`
  return { raw, hash: hashSecret(raw), masked: maskToken(raw) }
}

/** What is stored of a key or session token: it identifies the token and cannot be used in its place. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

export const maskToken = (raw: string): string => `***${raw.slice(-4)}`

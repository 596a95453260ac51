import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'

/**
 * Texts that only one agent can open: X25519 between a key pair of the agent, which is in its memory alone, and one of the
 * server that is made for a single answer; HKDF-SHA256; AES-256-GCM. The context (which check, until when) is bound to the text.
 */

/** The agent's key pair. */
export interface SealingKeys {
  /** Raw, base64url. */
  publicKey: string
  /** Throws when the text was sealed to another key, was changed, or stands in another context. */
  open(sealed: string, context: string): string
}

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

export function sealingKeys(): SealingKeys {
  const { privateKey, publicKey } = generateKeyPairSync('x25519')
  const own = rawOf(publicKey)
  return {
    publicKey: own,
    open(sealed, context) {
      const [sender = '', body = ''] = sealed.split('.')
      const bytes = Buffer.from(body, 'base64url')
      const key = sharedKey(privateKey, sender, { sender, receiver: own })
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString('utf8')
    },
  }
}

/** Seals texts to a public key. Throws when that is no key. */
export function sealTo(receiver: string): (text: string, context: string) => string {
  const { privateKey, publicKey } = generateKeyPairSync('x25519')
  const sender = rawOf(publicKey)
  const key = sharedKey(privateKey, receiver, { sender, receiver })
  return (text, context) => {
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes })
    cipher.setAAD(Buffer.from(context))
    const body = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `${sender}.${body.toString('base64url')}`
  }
}

function sharedKey(own: KeyObject, other: string, ends: { sender: string; receiver: string }): Buffer {
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: other }, format: 'jwk' })
  const secret = diffieHellman({ privateKey: own, publicKey })
  return Buffer.from(hkdfSync('sha256', secret, `${ends.sender}.${ends.receiver}`, 'vedette plan', 32))
}

const rawOf = (publicKey: KeyObject): string => publicKey.export({ format: 'jwk' }).x ?? ''

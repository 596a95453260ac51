import { createHmac } from 'node:crypto'

interface Signed {
  /** Stays the same over all attempts. */
  id: string
  body: string
  /** Empty: no signature. */
  secret: string
  /** Epoch milliseconds. */
  sentAt: number
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text, 'utf8')

/** The key of Standard Webhooks: base64 after `whsec_`, anything else as it is. */
const signingKey = (secret: string): string | Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret

/**
 * Headers by which a receiver verifies a delivery: over the raw body alone (`x-service-signature`), and replay-safe
 * over id, time and body as in the Standard Webhooks specification.
 */
export function signatureHeaders({ id, body, secret, sentAt }: Signed): Record<string, string> {
  const seconds = String(Math.floor(sentAt / 1000))
  return {
    'x-service-timestamp': String(sentAt),
    'webhook-id': id,
    'webhook-timestamp': seconds,
    ...(secret !== '' && {
      'x-service-signature': hmac(secret, body).digest('hex'),
      'webhook-signature': `v1,${hmac(signingKey(secret), `${id}.${seconds}.${body}`).digest('base64')}`,
    }),
  }
}

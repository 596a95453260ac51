import { createHmac } from 'node:crypto'

interface Signed {
  /** Stays the same over all attempts. */
  id: string
  body: string
  /** Empty: nothing is signed. */
  secret: string
  /** Epoch milliseconds. */
  sentAt: number
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text, 'utf8')

/** The key of Standard Webhooks: `whsec_` stands before base64, anything else is taken as it is. */
const signingKey = (secret: string): string | Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret

/**
 * Headers that let a receiver know a delivery: by the raw body alone (`x-service-signature`), and replay-safe over id,
 * time and body as the Standard Webhooks specification has it.
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

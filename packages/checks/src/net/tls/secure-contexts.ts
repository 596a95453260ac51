import { createHash } from 'node:crypto'
import tls, { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import type { JobClientCertificate } from '@vedette/wire'
import { LRUCache } from 'lru-cache'

/** What a context is made of. The default are the root certificates of Node. */
export interface TrustSettings {
  /** Certificates trusted instead of the built-in roots, PEM. */
  ca?: readonly string[]
  /** Presented when the server asks for one. Its `ca` is trusted besides all others. */
  client?: Omit<JobClientCertificate, 'host'>
}

const contexts = new LRUCache<string, SecureContext>({ max: 64 })

/** Contexts are expensive to build (up to 26 ms) and safe to share: they keep no sessions. */
export function secureContextFor({ ca, client }: TrustSettings = {}): SecureContext {
  const key = keyOf({ ca, client })
  const known = contexts.get(key)
  if (known !== undefined) return known
  const trusted = client?.ca ? [...(ca ?? defaultRoots()), client.ca] : ca
  const context = createSecureContext({
    ...(trusted && { ca: [...trusted] }),
    ...(client && { cert: client.cert, key: client.key }),
  })
  contexts.set(key, context)
  return context
}

/** Why OpenSSL does not use a client certificate: it is too weak, or of a kind that TLS has not. Undefined when it does. */
export function clientRefusal({ cert, key, ca }: Omit<JobClientCertificate, 'host'>): string | undefined {
  try {
    createSecureContext({ cert, key, ...(ca !== null && { ca }) })
    return undefined
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return 'reason' in error && typeof error.reason === 'string' ? error.reason : 'it cannot be used'
  }
}

/** A hash, because it is kept for long and there is a private key in it. */
const keyOf = ({ ca, client }: { ca: TrustSettings['ca']; client: TrustSettings['client'] }): string =>
  ca === undefined && client === undefined
    ? ''
    : createHash('sha256')
        .update(JSON.stringify([ca, client?.cert, client?.key, client?.ca]))
        .digest('base64')

/** Missing in Node before 22.15, where roots that were added to the built-in ones cannot be read. */
const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] }

const defaultRoots = (): readonly string[] => getCACertificates?.('default') ?? rootCertificates

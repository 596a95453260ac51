import { createSecureContext, type SecureContext } from 'node:tls'
import { LRUCache } from 'lru-cache'

/** What a context is made of. The default are the root certificates of Node. */
export interface TrustSettings {
  /** Certificates trusted instead of the built-in roots, PEM. */
  ca?: readonly string[]
}

const contexts = new LRUCache<string, SecureContext>({ max: 64 })

/** Contexts are expensive to build (up to 26 ms) and safe to share: they keep no sessions. */
export function secureContextFor({ ca }: TrustSettings = {}): SecureContext {
  const key = ca === undefined ? '' : ca.join('\n')
  const known = contexts.get(key)
  if (known !== undefined) return known
  const context = createSecureContext(ca === undefined ? {} : { ca: [...ca] })
  contexts.set(key, context)
  return context
}

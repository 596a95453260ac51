import { createSecureContext, type SecureContext } from 'node:tls'
import { LRUCache } from 'lru-cache'

/** What a context is made of; nothing means the root certificates of Node. */
export interface TrustSettings {
  /** Certificates trusted instead of the built-in roots, PEM. */
  ca?: readonly string[]
}

const contexts = new LRUCache<string, SecureContext>({ max: 64 })

/** Contexts are dear to build (up to 26 ms) and safe to share: no sessions are kept in them. */
export function secureContextFor({ ca }: TrustSettings = {}): SecureContext {
  const key = ca === undefined ? '' : ca.join('\n')
  const known = contexts.get(key)
  if (known !== undefined) return known
  const context = createSecureContext(ca === undefined ? {} : { ca: [...ca] })
  contexts.set(key, context)
  return context
}

import { createSecureContext, type SecureContext } from 'node:tls'

/** What a context is made of; nothing means the root certificates of Node. */
export interface TrustSettings {
  /** Certificates trusted instead of the built-in roots, PEM. */
  ca?: readonly string[]
}

const most = 64
const contexts = new Map<string, SecureContext>()

/** Contexts are dear to build (up to 26 ms) and safe to share: no sessions are kept in them. */
export function secureContextFor({ ca }: TrustSettings = {}): SecureContext {
  const key = ca === undefined ? '' : ca.join('\n')
  const known = contexts.get(key)
  if (known !== undefined) {
    contexts.delete(key)
    contexts.set(key, known)
    return known
  }
  const context = createSecureContext(ca === undefined ? {} : { ca: [...ca] })
  contexts.set(key, context)
  if (contexts.size > most) {
    const [oldest] = contexts.keys()
    if (oldest !== undefined) contexts.delete(oldest)
  }
  return context
}

import { isIP, type Socket } from 'node:net'
import { connect as tlsConnect, TLSSocket, type PeerCertificate, type SecureContext } from 'node:tls'
import { certificateFacts, certificateTrouble, coversHost, type CertificateFacts } from './certificate.ts'
import type { Deadline } from '../deadline.ts'
import { secureContextFor, type TrustSettings } from './secure-contexts.ts'
import { handshakeTrouble } from './tls-trouble.ts'
import { codeOf, formatEndpoint, formatLimit, TargetError } from '../target-error.ts'

/** What a handshake answered. `authorizationError` is set even when any certificate is accepted. */
export interface HandshakeFacts extends CertificateFacts {
  protocol: string
  cipher: string
  authorized: boolean
  authorizationError: string | null
}

export interface SecureOptions {
  /** Name sent as SNI and compared with the certificate; an address is only compared. */
  host: string
  port: number
  /** Accept any certificate. */
  skipSSL: boolean
  trust?: TrustSettings
  now: () => number
  /** `connect` uses Node's documented interface, `direct` a cheaper one that is not documented. */
  path?: 'direct' | 'connect'
}

export interface SecuredSocket {
  socket: TLSSocket
  facts: HandshakeFacts
  /** From the TCP connection to the end of the handshake, in milliseconds. */
  tlsMs: number
}

// Used by `tls.connect` itself but missing in the typings. Should a future Node lack it, `connect` is used.
interface ClientHandshake {
  _handle?: { verifyError?: () => Error | null | undefined } | null
  _releaseControl?: () => boolean
  _start?: () => void
}

const canStartDirectly = typeof (TLSSocket.prototype as ClientHandshake)._start === 'function'

/**
 * Does the TLS handshake on a connected socket: no session reuse, certificate read exactly once, chain and name
 * verified.
 */
export async function secureSocket(raw: Socket, wanted: SecureOptions, deadline: Deadline): Promise<SecuredSocket> {
  const startedAt = performance.now()
  // The final dot of an absolute name matters to DNS only: SNI and certificates do not have it.
  const options = { ...wanted, host: wanted.host.replace(/\.$/, '') }
  const socket = await handshake(raw, options, deadline)
  const tlsMs = performance.now() - startedAt
  // Costs half of an X509Certificate object, which copies the whole chain. Empty when the peer sent none.
  const certificate = socket.getPeerCertificate(false)
  if (certificate?.raw === undefined) {
    socket.destroy()
    throw new TargetError('tls', 'NO_CERTIFICATE', `${formatEndpoint(options.host, options.port)} sent no certificate`)
  }
  const code = verifyCode(socket) ?? (coversHost(certificate, options.host) ? null : 'ERR_TLS_CERT_ALTNAME_INVALID')
  if (code !== null && !options.skipSSL) {
    socket.destroy()
    throw untrusted(code, options, certificate)
  }
  return { socket, facts: factsOf(socket, certificate, code), tlsMs }
}

function factsOf(socket: TLSSocket, certificate: PeerCertificate, code: string | null): HandshakeFacts {
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher().name,
    authorized: code === null,
    authorizationError: code,
    ...certificateFacts(certificate),
  }
}

function untrusted(code: string, { host, now }: SecureOptions, certificate: PeerCertificate): TargetError {
  const notAfter = Date.parse(certificate.valid_to)
  const text = certificateTrouble(code, host, certificate, now())
  return new TargetError('tls', code, text, Number.isNaN(notAfter) ? {} : { certificateNotAfter: notAfter })
}

/** OpenSSL's finding about the chain, null when it is good. */
function verifyCode(socket: TLSSocket): string | null {
  const handle = (socket as unknown as ClientHandshake)._handle
  if (typeof handle?.verifyError !== 'function') {
    if (socket.authorized) return null
    // Typed as an error, but it is a code. Without any result the chain was not verified, which is no pass.
    const known: unknown = socket.authorizationError
    return typeof known === 'string' ? known : codeOf(known)
  }
  const error = handle.verifyError()
  return error ? codeOf(error) : null
}

function handshake(raw: Socket, options: SecureOptions, deadline: Deadline): Promise<TLSSocket> {
  const { host, port } = options
  let socket: TLSSocket | undefined
  return deadline.during<TLSSocket>({
    start(succeed, fail) {
      const secureContext = secureContextFor(options.trust)
      const direct = (options.path ?? 'direct') === 'direct' && canStartDirectly
      const opened = direct ? startDirectly(raw, host, secureContext) : startDocumented(raw, host, secureContext)
      socket = opened
      let secured = false
      const lose = (trouble: () => TargetError) => {
        if (secured) return
        opened.destroy()
        raw.destroy()
        fail(trouble())
      }
      opened.once(direct ? 'secure' : 'secureConnect', () => {
        secured = true
        succeed(opened)
      })
      // Stays for the life of the socket, as the one below does on the socket it wraps.
      opened.on('error', (error) => lose(() => handshakeTrouble(error, formatEndpoint(host, port))))
      opened.once('close', () => lose(() => closedEarly(host, port)))
      opened.once('end', () => lose(() => closedEarly(host, port)))
    },
    stop: () => (socket ?? raw).destroy(),
    timedOut: () =>
      new TargetError(
        'tls',
        'ETIMEDOUT',
        `connected to ${formatEndpoint(host, port)}, but the TLS handshake did not finish within ${formatLimit(deadline.limitMs)}`,
      ),
  })
}

function startDirectly(raw: Socket, host: string, secureContext: SecureContext): TLSSocket {
  const socket = new TLSSocket(raw, { secureContext, isServer: false, requestCert: true, rejectUnauthorized: false })
  const internals = socket as unknown as ClientHandshake
  internals._releaseControl?.()
  if (isIP(host) === 0) (socket as unknown as { setServername(name: string): void }).setServername(host)
  internals._start?.()
  return socket
}

const startDocumented = (raw: Socket, host: string, secureContext: SecureContext): TLSSocket =>
  tlsConnect({
    socket: raw,
    secureContext,
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
    ...(isIP(host) === 0 ? { servername: host } : {}),
  })

const closedEarly = (host: string, port: number): TargetError =>
  new TargetError('tls', 'ECONNRESET', `${formatEndpoint(host, port)} closed the connection during the TLS handshake`)

import { codeOf, TargetError } from '../target-error.ts'

/** Errors of our side of a handshake, and of the connection. */
const ownFindings: readonly (readonly [RegExp, string])[] = [
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|RECORD_LAYER|HTTP_REQUEST/, 'does not speak TLS on this port'],
  [/UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW/, 'offers no TLS version that is still considered safe'],
  [/NO_SHARED_CIPHER/, 'found no cipher or parameters in common'],
  [/DH_KEY_TOO_SMALL|EE_KEY_TOO_SMALL|MD_TOO_WEAK/, 'uses keys or signatures that are too weak'],
  [/ECONNRESET/, 'reset the connection during the TLS handshake'],
]

/** What a fatal alert of the peer means, by its name in RFC 8446 and RFC 5246. */
const alerts: Readonly<Record<string, string>> = {
  handshake_failure: 'it found no cipher or parameters in common, or asks for a client certificate',
  protocol_version: 'it offers no TLS version that is still considered safe',
  insufficient_security: 'it demands stronger ciphers than those offered',
  certificate_required: 'it asks for a client certificate',
  bad_certificate: 'it asks for a client certificate, or does not accept the one it got',
  unsupported_certificate: 'it does not accept this kind of client certificate',
  certificate_revoked: 'the client certificate was revoked',
  certificate_expired: 'the client certificate has expired',
  certificate_unknown: 'it does not accept the client certificate',
  unknown_ca: 'it does not know the authority that issued the client certificate',
  access_denied: 'it refuses access to this client',
  unrecognized_name: 'it does not know the requested host name',
  no_application_protocol: 'it speaks none of the application protocols offered',
  inappropriate_fallback: 'it refuses the older TLS version',
  user_cancelled: 'it gave up the handshake',
  internal_error: 'it has trouble of its own',
  missing_extension: 'it misses an extension of the handshake',
  unsupported_extension: 'it does not accept an extension of the handshake',
  unexpected_message: 'it did not expect the message it got',
  illegal_parameter: 'it does not accept a parameter of the handshake',
  bad_record_mac: 'it could not verify what it got',
  decrypt_error: 'it could not verify what it got',
  decode_error: 'it could not read what it got',
  record_overflow: 'it got a record that is too long',
}

/**
 * OpenSSL names alerts by the version that brought them: ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED. Since 3.2 the oldest
 * ones, which it called SSLV3, are SSL/TLS.
 */
function alertOf(code: string): string | undefined {
  const name = /^ERR_SSL_(?:SSLV3|SSL\/TLS|TLSV1|TLSV13)_(?:ALERT_)?([A-Z_]+)$/.exec(code)?.[1]?.toLowerCase()
  return name !== undefined && (code.includes('_ALERT_') || name in alerts) ? name : undefined
}

/** The reason alone: the message of OpenSSL has addresses and file names around it. */
const reasonOf = (error: Error): string =>
  'reason' in error && typeof error.reason === 'string' ? error.reason : error.message.trim()

/** A failed handshake as trouble of the target. `peer` is its host and port. */
export function handshakeTrouble(error: Error, peer: string): TargetError {
  const code = codeOf(error)
  const alert = alertOf(code)
  if (alert !== undefined) return alertTrouble(code, alert, `${peer} ended the TLS handshake`)
  const known = ownFindings.find(([pattern]) => pattern.test(code))
  return new TargetError('tls', code, `${peer} ${known?.[1] ?? `failed in the TLS handshake: ${reasonOf(error)}`}`)
}

/** An error of TLS after the handshake; undefined when it is another one. TLS 1.3 refuses clients only then. */
export function establishedTrouble(error: Error, peer: string): TargetError | undefined {
  const code = codeOf(error)
  if (!code.startsWith('ERR_SSL_')) return undefined
  const alert = alertOf(code)
  if (alert !== undefined) return alertTrouble(code, alert, `${peer} ended the TLS connection after the handshake`)
  return new TargetError('tls', code, `the TLS connection to ${peer} failed after the handshake: ${reasonOf(error)}`)
}

function alertTrouble(code: string, alert: string, ended: string): TargetError {
  const meaning = alerts[alert]
  return new TargetError('tls', code, `${ended} with the alert ${alert}${meaning === undefined ? '' : `: ${meaning}`}`)
}

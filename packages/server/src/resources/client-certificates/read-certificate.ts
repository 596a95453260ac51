import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { clientRefusal } from '@vedette/checks/net'
import type { ClientCertificateCreate } from '@vedette/wire'
import { invalidField } from '../../api-error.ts'
import { derivationRounds } from './key-cost.ts'

/** A certificate that can be presented: its key is open and belongs to it. */
export interface ReadCertificate {
  host: string
  cert: string
  ca: string | null
  /** PKCS #8 in PEM form, not encrypted. */
  key: string
  subject: string
  expiresAt: Date
}

/** Throws a 400 that names what is wrong with it. */
export function readCertificate(sent: ClientCertificateCreate, now: Date): ReadCertificate {
  const host = hostOf(sent.host)
  const chain = certificatesOf('cert', sent.cert)
  const [own] = chain
  if (!own) throw invalidField('cert', notPem('a certificate'))
  const expiresAt = new Date(own.validTo)
  if (!(expiresAt > now)) throw invalidField('cert', `must be valid, got one that expired on ${own.validTo}`)
  const key = keyOf(sent)
  if (!own.checkPrivateKey(key))
    throw invalidField('key', 'must be the key of the certificate, got that of another one')
  const read = {
    host,
    cert: pemOf(chain),
    ca: sent.ca ? pemOf(certificatesOf('ca', sent.ca)) : null,
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
  const refusal = clientRefusal(read)
  if (refusal !== undefined) throw invalidField('cert', `must be usable for TLS, got one that is not: ${refusal}`)
  return { ...read, subject: own.subject.replaceAll('\n', ', '), expiresAt }
}

const notPem = (what: string): string => `must be ${what} in PEM form, got something else`

function hostOf(sent: string): string {
  // The conversion drops what follows the name in a URL.
  const host = /[\s/?#@:\\]/.test(sent) ? '' : domainToASCII(sent).replace(/\.$/, '')
  if (/^[a-z0-9_*-]+(\.[a-z0-9_*-]+)*$/.test(host)) return host
  throw invalidField('host', `must be the name of a host without scheme, port and path, got ${JSON.stringify(sent)}`)
}

const block = /-----BEGIN ([A-Z0-9 ]+)-----[A-Za-z0-9+/=\s]+-----END \1-----/g

/** Only certificates: a key among them would be answered with them. */
function certificatesOf(field: 'cert' | 'ca', pem: string): X509Certificate[] {
  const blocks = [...pem.matchAll(block)]
  const other = blocks.find(([, label]) => label !== 'CERTIFICATE')
  if (other || pem.includes('PRIVATE KEY'))
    throw invalidField(field, `must hold certificates only, got ${other?.[1] ?? 'a private key'}`)
  if (blocks.length === 0) throw invalidField(field, notPem('a certificate'))
  return blocks.map(([text]) => certificateOf(field, text))
}

function certificateOf(field: 'cert' | 'ca', pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw invalidField(field, notPem('a certificate'))
  }
}

const pemOf = (certificates: readonly X509Certificate[]): string => certificates.map(String).join('')

/** OpenSSL takes about a second for so many; its own default is 2048. */
const mostRounds = 2_000_000
const kinds = new Set(['rsa', 'rsa-pss', 'ec', 'ed25519', 'ed448'])
const mostBits = 8192

function keyOf({ key: pem, passphrase }: ClientCertificateCreate): KeyObject {
  const key = openKey(pem, passphrase ?? undefined)
  if (!kinds.has(key.asymmetricKeyType ?? ''))
    throw invalidField('key', `must be an RSA, EC, Ed25519 or Ed448 key, got ${key.asymmetricKeyType ?? 'another one'}`)
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (bits > mostBits) throw invalidField('key', `must have at most ${mostBits} bits, got ${bits}`)
  return key
}

function openKey(pem: string, passphrase: string | undefined): KeyObject {
  const [block, ...more] = pem.matchAll(/-----BEGIN ([A-Z ]*PRIVATE KEY)-----([\s\S]*?)-----END \1-----/g)
  if (block === undefined) throw invalidField('key', notPem('a private key'))
  if (more.length > 0) throw invalidField('key', `must be one private key, got ${more.length + 1}`)
  const isEncrypted = needsPassphrase(block)
  if (isEncrypted && !passphrase) throw invalidField('passphrase', 'is required, because the key is encrypted')
  try {
    return createPrivateKey({ key: block[0], format: 'pem', ...(isEncrypted && { passphrase }) })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (isEncrypted) throw invalidField('passphrase', 'must open the key, and does not')
    throw invalidField('key', notPem('a private key'))
  }
}

/** Whether a key is encrypted, in PKCS #8 or in the older form of OpenSSL. */
function needsPassphrase([, label = '', body = '']: RegExpMatchArray): boolean {
  if (label !== 'ENCRYPTED PRIVATE KEY') return body.includes('Proc-Type: 4,ENCRYPTED')
  const rounds = /^[A-Za-z0-9+/=\s]+$/.test(body) ? derivationRounds(body) : Infinity
  if (rounds > mostRounds) throw invalidField('key', `must be encrypted with at most ${mostRounds} rounds`)
  return true
}

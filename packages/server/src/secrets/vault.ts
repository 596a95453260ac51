import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { SecretPlace, Vault } from '../vault.ts'

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16
const keyBytes = 32

/** A sealed text cannot be opened: it has another master key or another place, or was changed. */
export class VaultError extends Error {
  override name = 'VaultError'
}

/** A vault that can tell by which key a text was sealed, for checks at start and for changing the key. */
export interface KeyedVault extends Vault {
  /** Identifies the master key without revealing it. */
  keyId: string
}

interface Sealed {
  keyId: string
  wrappedKey: Buffer
  box: Box
}

interface Box {
  iv: Buffer
  ciphertext: Buffer
  tag: Buffer
}

const derive = (master: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), `vedette ${purpose}`, keyBytes))

const idOf = (master: Buffer): string =>
  createHash('sha256').update(derive(master, 'key id')).digest('hex').slice(0, 16)

const placeText = ({ account, table, row, field }: SecretPlace): string => JSON.stringify([account, table, row, field])

function encrypt(key: Buffer, plaintext: Buffer, bound: string): Box {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(bound))
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return { iv, ciphertext, tag: cipher.getAuthTag() }
}

function decrypt(key: Buffer, { iv, ciphertext, tag }: Box, bound: string): Buffer {
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(bound))
  decipher.setAuthTag(tag)
  return Buffer.concat([decipher.update(ciphertext), decipher.final()])
}

function parse(text: string): Sealed {
  const [version, keyId, ...parts] = text.split('.')
  const [wrappedKey, iv, ciphertext, tag] = parts.map((part) => Buffer.from(part, 'base64url'))
  if (version !== 'v1' || !keyId || parts.length !== 4 || !wrappedKey || !iv || !ciphertext || !tag) {
    throw new VaultError('This is not a sealed value.')
  }
  if (iv.length !== ivBytes || tag.length !== tagBytes || wrappedKey.length !== ivBytes + keyBytes + tagBytes) {
    throw new VaultError('This sealed value is cut off or changed.')
  }
  return { keyId, wrappedKey, box: { iv, ciphertext, tag } }
}

const pack = ({ iv, ciphertext, tag }: Box): Buffer => Buffer.concat([iv, ciphertext, tag])

const unpack = (bytes: Buffer): Box => ({
  iv: bytes.subarray(0, ivBytes),
  ciphertext: bytes.subarray(ivBytes, -tagBytes),
  tag: bytes.subarray(-tagBytes),
})

/** Id of the master key that sealed a text. Throws `VaultError` when it is no sealed text. */
export const sealedBy = (sealed: string): string => parse(sealed).keyId

function openSealed(wrapping: Buffer, { keyId, wrappedKey, box }: Sealed, place: SecretPlace): string {
  try {
    const dataKey = decrypt(wrapping, unpack(wrappedKey), `v1.${keyId}`)
    return decrypt(dataKey, box, placeText(place)).toString('utf8')
  } catch (error) {
    throw new VaultError(
      `The sealed value of ${place.table}.${place.field} does not open: it was changed, or moved from another row.`,
      { cause: error },
    )
  }
}

/**
 * Seals with `current`, opens what `current` or one of `old` sealed. Every value has its own key, wrapped by a key
 * derived from the master key: `v1.<key id>.<wrapped key>.<iv>.<ciphertext>.<tag>`.
 */
export function openVault(keys: { current: Buffer; old?: readonly Buffer[] }): KeyedVault {
  const wrapping = new Map([...(keys.old ?? []), keys.current].map((key) => [idOf(key), derive(key, 'seal v1')]))
  const keyId = idOf(keys.current)
  const own = wrapping.get(keyId) as Buffer
  return {
    keyId,
    seal(plaintext, place) {
      const dataKey = randomBytes(keyBytes)
      const wrapped = pack(encrypt(own, dataKey, `v1.${keyId}`))
      const { iv, ciphertext, tag } = encrypt(dataKey, Buffer.from(plaintext, 'utf8'), placeText(place))
      const parts = [wrapped, iv, ciphertext, tag].map((part) => part.toString('base64url'))
      return ['v1', keyId, ...parts].join('.')
    },
    open(sealed, place) {
      const parsed = parse(sealed)
      const key = wrapping.get(parsed.keyId)
      if (!key) throw new VaultError(`The value was sealed by another master key (${parsed.keyId}, not ${keyId}).`)
      return openSealed(key, parsed, place)
    },
    deriveKey: (purpose) => derive(keys.current, `purpose ${purpose}`),
  }
}

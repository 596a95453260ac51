/** The place a secret is bound to by its encryption: a value moved to another row cannot be opened. */
export interface SecretPlace {
  account: string
  table: string
  row: string
  field: string
}

/** Encryption of secrets at rest (AES-256-GCM, envelope with key id). */
export interface Vault {
  seal(plaintext: string, place: SecretPlace): string
  /** Throws when the text was sealed by another master key, for another place, or was tampered with. */
  open(sealed: string, place: SecretPlace): string
  /** HMAC-SHA256 key for a purpose, derived from the master key (lease tokens, masks). */
  deriveKey(purpose: string): Buffer
}

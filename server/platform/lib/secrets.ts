// Encryption of stored secrets (bot tokens, keys). The keys come from the configuration or from a file made at the first start.

export interface Secrets {
  /** Id of the encryption key; part of each encrypted text. */
  readonly keyId: string
  /** Of all keys that decrypt, the one that encrypts first. */
  readonly keyIds: readonly string[]
  /** `place` is where the text is stored (`table|row id|column`): it cannot be decrypted anywhere else. */
  encrypt(plain: string, place: string): string
  /** @throws when the text was changed, moved, or encrypted with a key that is not configured */
  decrypt(encrypted: string, place: string): string
}

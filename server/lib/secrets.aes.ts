// Secrets by AES-256-GCM under a key derived from the application secret. Where that secret comes from is in server/auth/application-secret.ts.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { Secrets } from './secrets.ts'

const VERSION = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** 32 bytes for one purpose: knowing the key of one purpose does not give another's. */
export function deriveKey(applicationSecret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', applicationSecret, 'parley', purpose, 32))
}

/** Encrypts as `v1.<key id>.<nonce, ciphertext and tag in base64url>`; the place is authenticated, not stored. */
export function createSecrets(applicationSecret: string): Secrets {
  const key = deriveKey(applicationSecret, 'stored secrets')
  const keyId = createHash('sha256').update(key).digest('hex').slice(0, 8)
  return {
    encrypt(plain, place) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
      const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${VERSION}.${keyId}.${sealed.toString('base64url')}`
    },
    decrypt(encrypted, place) {
      const [version, id, text, ...rest] = encrypted.split('.')
      if (version !== VERSION || !text || rest.length > 0) throw new Error(`not an encrypted secret: ${place}`)
      if (id !== keyId) throw new Error(`${place} was encrypted with key ${id}, the configured key is ${keyId}`)
      const sealed = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(-TAG_BYTES))
      return decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)).toString('utf8') + decipher.final('utf8')
    },
  }
}

// Secrets by AES-256-GCM under keys derived from application secrets. Where those come from is in server/platform/auth/application-secret.ts.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { Secrets } from './secrets.ts'

const VERSION = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** 32 bytes for one purpose: knowing the key of one purpose does not give another's. */
export function deriveKey(applicationSecret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', applicationSecret, 'parley', purpose, 32))
}

type Key = { id: string; bytes: Buffer }

/**
 * Encrypts as `v1.<key id>.<nonce, ciphertext and tag in base64url>`; the place is authenticated, not stored.
 * @param previous secrets of which stored texts can still be opened; none is encrypted with them any more
 */
export function createSecrets(applicationSecret: string, previous: readonly string[] = []): Secrets {
  const current = keyOf(applicationSecret)
  const keys = new Map([current, ...previous.map(keyOf)].map((key) => [key.id, key.bytes]))
  return {
    keyId: current.id,
    keyIds: [...keys.keys()],
    encrypt(plain, place) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current.bytes, nonce).setAAD(Buffer.from(place))
      const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${VERSION}.${current.id}.${sealed.toString('base64url')}`
    },
    decrypt(encrypted, place) {
      const [version, id = '', text, ...rest] = encrypted.split('.')
      if (version !== VERSION || !text || rest.length > 0) throw new Error(`not an encrypted secret: ${place}`)
      const key = keys.get(id)
      if (!key) throw new Error(`${place} was encrypted with key ${id}, the configured ones are ${[...keys.keys()]}`)
      const sealed = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(-TAG_BYTES))
      return decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)).toString('utf8') + decipher.final('utf8')
    },
  }
}

function keyOf(applicationSecret: string): Key {
  const bytes = deriveKey(applicationSecret, 'stored secrets')
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes }
}

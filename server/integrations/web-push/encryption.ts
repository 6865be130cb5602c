// What a push carries, so that only the browser can read it: RFC 8291 over the content encoding of RFC 8188.
import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

const CURVE = 'prime256v1'
const SALT_BYTES = 16
/** Of a record: everything is in one. */
const RECORD_BYTES = 4096
/** Behind what the last record carries. */
const LAST = Buffer.from([2])

/** Of a browser: its public key, a point on P-256 of 65 bytes, and 16 bytes that only it and we know; base64url. */
export type PushKeys = { p256dh: string; auth: string }
/** Fresh for each push; given by a test alone. `privateKey`: 32 bytes. */
type Fresh = { salt: Buffer; privateKey?: Buffer }

/** The body of a push, `content-encoding: aes128gcm`. @throws where the key is no point of the curve */
export function encryptFor(
  { p256dh, auth }: PushKeys,
  text: string,
  { salt, privateKey }: Fresh = { salt: randomBytes(SALT_BYTES) },
): Buffer {
  const own = createECDH(CURVE)
  if (privateKey) own.setPrivateKey(privateKey)
  else own.generateKeys()
  const theirs = Buffer.from(p256dh, 'base64url')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, own.getPublicKey()])
  const secret = derive({ from: own.computeSecret(theirs), salt: Buffer.from(auth, 'base64url'), info, bytes: 32 })
  const part = (name: string, bytes: number) =>
    derive({ from: secret, salt, info: Buffer.from(`Content-Encoding: ${name}\0`), bytes })
  const cipher = createCipheriv('aes-128-gcm', part('aes128gcm', 16), part('nonce', 12))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.update(LAST), cipher.final(), cipher.getAuthTag()])
  return Buffer.concat([headOf(salt, own.getPublicKey()), sealed])
}

/** Salt, size of a record, and our key of this push with its length. */
function headOf(salt: Buffer, key: Buffer): Buffer {
  const numbers = Buffer.alloc(5)
  numbers.writeUInt32BE(RECORD_BYTES, 0)
  numbers.writeUInt8(key.length, 4)
  return Buffer.concat([salt, numbers, key])
}

function derive({ from, salt, info, bytes }: { from: Buffer; salt: Buffer; info: Buffer; bytes: number }): Buffer {
  return Buffer.from(hkdfSync('sha256', from, salt, info, bytes))
}

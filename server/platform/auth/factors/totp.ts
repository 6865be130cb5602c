// Codes of six digits that an authenticator app makes of a shared key and the time (RFC 6238, SHA-1, 30 seconds), and recovery codes.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { constantTimeEqual } from '#server/platform/lib/constant-time-equal.ts'

const STEP_MS = 30_000
/** Clocks may differ: a code of the step before and after is taken too. */
const TOLERATED_STEPS = [0, -1, 1]
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const KEY_BYTES = 20
const RECOVERY_CODES = 10
/** 80 bits: a plain hash of it reveals nothing. */
const RECOVERY_BYTES = 10

/** A new key, in the letters that people can type. */
export function newTotpKey(): string {
  return toBase32(randomBytes(KEY_BYTES))
}

/** What a QR code says to the app. `issuer`: what the account is called there. */
export function totpAddress(key: string, email: string, issuer: string): string {
  const query = new URLSearchParams({ secret: key, issuer, algorithm: 'SHA1', digits: '6', period: '30' })
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(email)}?${query}`
}

/** The code of a key at a moment. */
export function totpCode(key: string, at: number): string {
  return codeOf(fromBase32(key), Math.floor(at / STEP_MS))
}

/** The step of time that a code belongs to; undefined for a wrong code. */
export function stepOfCode(key: string, code: string, now: number): number | undefined {
  const [bytes, current] = [fromBase32(key), Math.floor(now / STEP_MS)]
  const steps = TOLERATED_STEPS.map((offset) => current + offset)
  return steps.filter((step) => constantTimeEqual(code, codeOf(bytes, step)))[0]
}

/** Ten codes, each for one sign-in. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => grouped(toBase32(randomBytes(RECOVERY_BYTES)).toLowerCase()))
}

/** The stored form of a recovery code, in whatever way it was typed. */
export function hashOfRecoveryCode(userId: string, code: string): string {
  const plain = code.toLowerCase().replace(/[^a-z2-7]/g, '')
  return createHash('sha256').update(`${userId}|${plain}`).digest('hex')
}

function grouped(text: string): string {
  return text.match(/.{4}/g)?.join('-') ?? text
}

function codeOf(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('')
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

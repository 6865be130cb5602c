// Stored secrets.
import { describe, expect, it } from 'vitest'
import { createSecrets, deriveKey } from './secrets.aes.ts'

const secrets = createSecrets('a secret of at least thirty-two characters')
const place = 'channel_connections|1|token'

describe('stored secrets', () => {
  it('come back as they were, in any script', () => {
    for (const plain of ['', '123:abc', 'ключ 🔑'])
      expect(secrets.decrypt(secrets.encrypt(plain, place), place)).toBe(plain)
  })

  it('never look alike twice and never show the plain text', () => {
    const [first, second] = [secrets.encrypt('123:abc', place), secrets.encrypt('123:abc', place)]
    expect(first).not.toBe(second)
    expect(Buffer.from(first.split('.')[2] ?? '', 'base64url').includes('123:abc')).toBe(false)
  })

  it('cannot be moved to another row', () => {
    const stored = secrets.encrypt('123:abc', place)
    expect(() => secrets.decrypt(stored, 'channel_connections|2|token')).toThrow('unable to authenticate data')
  })

  it('cannot be changed', () => {
    const [version, id, text = ''] = secrets.encrypt('123:abc', place).split('.')
    for (let i = 0; i < text.length; i++) {
      const flipped = text.slice(0, i) + (text[i] === 'A' ? 'B' : 'A') + text.slice(i + 1)
      const changed = Buffer.from(flipped, 'base64url').equals(Buffer.from(text, 'base64url'))
      if (!changed)
        expect(() => secrets.decrypt(`${version}.${id}.${flipped}`, place)).toThrow('unable to authenticate data')
    }
    for (const broken of ['', 'v1', 'v1.x', `v2.${id}.${text}`, `${version}.${id}.`, `${version}.${id}.${text}.x`]) {
      expect(() => secrets.decrypt(broken, place), broken).toThrow(
        /not an encrypted secret|encrypted with key|authenticat/,
      )
    }
  })

  it('open with any key of the ring, and are encrypted with the first', () => {
    const renewed = createSecrets('a secret that came later, of thirty-two', [
      'a secret of at least thirty-two characters',
    ])
    const old = secrets.encrypt('123:abc', place)
    expect(renewed.decrypt(old, place)).toBe('123:abc')
    const fresh = renewed.encrypt('123:abc', place)
    expect(fresh.split('.')[1]).toBe(renewed.keyId)
    expect(() => secrets.decrypt(fresh, place)).toThrow(/was encrypted with key/)
  })

  it('do not open with another key, and the refusal names both keys', () => {
    const other = createSecrets('another secret of thirty-two characters')
    expect(() => other.decrypt(secrets.encrypt('123:abc', place), place)).toThrow(/was encrypted with key \w{8}/)
  })
})

describe('deriveKey', () => {
  it('gives every purpose a key of its own, the same each time', () => {
    expect(deriveKey('secret', 'a')).toEqual(deriveKey('secret', 'a'))
    expect(deriveKey('secret', 'a')).not.toEqual(deriveKey('secret', 'b'))
    expect(deriveKey('secret', 'a')).toHaveLength(32)
  })
})

// The example of RFC 8291, byte for byte.
import { expect, it } from 'vitest'
import { encryptFor } from './encryption.ts'

/** Section 5 and appendix A. */
const EXAMPLE = {
  text: 'When I grow up, I want to be a watermelon',
  browser: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
  privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}

it('encrypts the example of the standard as the standard does', () => {
  const fresh = { salt: bytesOf(EXAMPLE.salt), privateKey: bytesOf(EXAMPLE.privateKey) }
  expect(encryptFor(EXAMPLE.browser, EXAMPLE.text, fresh).toString('base64url')).toBe(EXAMPLE.body)
})

it('never encrypts twice the same', () => {
  const encrypt = () => encryptFor(EXAMPLE.browser, EXAMPLE.text).toString('base64url')
  expect(encrypt()).not.toBe(encrypt())
})

it('refuses a key that is no point of the curve', () => {
  expect(() => encryptFor({ ...EXAMPLE.browser, p256dh: 'A'.repeat(87) }, 'text')).toThrow(
    'Public key is not valid for specified curve',
  )
})

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}

// Encodings are recognised from the bytes alone, also in short texts.
import { describe, expect, it } from 'vitest'
import { decode } from './encoding.ts'

/** The bytes of a text in a single-byte encoding, found by asking the decoder about every byte. */
function encode(text: string, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding)
  const byteOf = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]))
  return Uint8Array.from(Array.from(text, (letter) => byteOf.get(letter) ?? 63))
}

const LONG = 'Договор заключён «01» февраля 2026 г. между ООО «Ромашка» и покупателем. Оплата — в течение 5 дней.'
const SHORT = 'Условия доставки'

describe.each(['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5', 'x-mac-cyrillic'])('%s', (encoding) => {
  it.each([LONG.replace(/[«»—]/g, '-'), SHORT])('is recognised in %j', (text) => {
    expect(decode(encode(text, encoding))).toMatchObject({ text, encoding })
  })
})

describe('Unicode', () => {
  it.each([
    ['UTF-8', Buffer.from(LONG)],
    ['UTF-8 with its mark', Buffer.from(`\uFEFF${LONG}`)],
    ['UTF-16 with its mark', Buffer.from(`\uFEFF${LONG}`, 'utf16le')],
    ['UTF-16 without', Buffer.from(LONG, 'utf16le')],
    ['big-endian UTF-16 with its mark', Buffer.from(`\uFEFF${LONG}`, 'utf16le').swap16()],
    ['big-endian UTF-16 without', Buffer.from(LONG, 'utf16le').swap16()],
  ])('is recognised as %s', (_, bytes) => {
    expect(decode(bytes).text).toBe(LONG)
  })
})

it('takes accented Latin letters for a Western text', () => {
  const text = 'Le café est fermé, désolé: réservé aux élèves'
  expect(decode(encode(text, 'windows-1252'))).toMatchObject({ text, encoding: 'windows-1252' })
})

it('believes the charset of an HTML file, but not one that does not exist', () => {
  const html = (charset: string) => encode(`<meta charset="${charset}"><p>Цена</p>`, 'koi8-r')
  expect(decode(html('koi8-r'), true).text).toContain('Цена')
  expect(decode(html('klingon'), true).text).toContain('Цена')
  expect(decode(html('windows-1251'), true).encoding).toBe('windows-1251')
})

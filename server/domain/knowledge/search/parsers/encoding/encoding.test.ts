// Encodings are recognised from the bytes alone, also in short texts.
import { describe, expect, it } from 'vitest'
import { decode, encodingChoices, isEncoding } from './encoding.ts'

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

const PRICES =
  'Прайс-лист на услуги клиники «Здоровье»\nПриём терапевта; 8500 тг\nУЗИ; 12 000 тг\nЗапись по телефону с 9 до 18.'

describe('an encoding is sure', () => {
  it.each(['windows-1251', 'koi8-r', 'ibm866', 'x-mac-cyrillic'])('for Russian in %s', (encoding) => {
    const text = encoding === 'windows-1251' ? PRICES : PRICES.replace(/[«»]/g, '"')
    expect(decode(encode(text, encoding))).toEqual({ text, encoding, isGuess: false })
  })

  it.each([
    ['windows-1252', 'Le café est fermé à midi, réservé aux élèves.'],
    ['macintosh', 'Le café est fermé à midi, réservé aux élèves.'],
    ['windows-1252', 'Größe und Preis für alle Gäste'],
    ['windows-1252', 'El año próximo — señor'],
  ])('for %s: %s', (encoding, text) => {
    expect(decode(encode(text, encoding))).toMatchObject({ text, isGuess: false })
  })

  it('for UTF-16 without a mark in any alphabet, and for UTF-8 that was cut in its last letter', () => {
    const arabic = 'مرحبا بكم 100\nشكرا\n'
    expect(decode(Buffer.from(arabic, 'utf16le'))).toEqual({ text: arabic, encoding: 'utf-16le', isGuess: false })
    expect(decode(Buffer.from(PRICES).subarray(0, -2))).toMatchObject({ encoding: 'utf-8', isGuess: false })
  })
})

describe('text that was encoded twice is read as it was meant', () => {
  it.each(['windows-1251', 'windows-1252'])('by way of %s', (encoding) => {
    const text = 'Доставка по городу 500 тенге.\nЖеткізу тегін\nplain'
    const table = new TextDecoder(encoding)
    const twice = Array.from(Buffer.from(text), (byte) =>
      byte === 10 ? '\n' : table.decode(Uint8Array.of(byte)),
    ).join('')
    expect(decode(Buffer.from(twice))).toEqual({ text, encoding: 'utf-8', isGuess: false })
  })

  it.each(['РС, ПК и ТВ по сниженным ценам: РС «Экспресс»', 'Café Ñandú, São Tomé, Ça va', 'РП СТ ТВ РС'])(
    'but not %s',
    (text) => {
      expect(decode(Buffer.from(text)).text).toBe(text)
    },
  )
})

describe('an encoding is not sure, and the likeliest is right', () => {
  it('for Hebrew, and for Russian of capital letters alone, which has the same bytes in KOI8', () => {
    const hebrew = 'משלוח תוך יומיים תשלום במזומן'
    expect(decode(encode(hebrew, 'windows-1255'))).toEqual({ text: hebrew, encoding: 'windows-1255', isGuess: true })
    const russian = 'ДОСТАВКА НА ДОМ'
    const bytes = encode(russian, 'koi8-r')
    expect(decode(bytes).isGuess).toBe(true)
    expect(encodingChoices(bytes)).toContainEqual({ encoding: 'koi8-r', preview: russian })
  })

  it.each([
    ['gb18030', 'b2fac6b7bcdbb8f1a3ba313030d4aa', '产品价格：100元'],
    ['windows-1256', 'e3d1cdc8c720c8dfe320dded20e3cacc d1e4c7'.replace(' ', ''), 'مرحبا بكم في متجرنا'],
    ['shift_jis', '82a893cd82af82cd93f193fa82a982a982e882dc82b7', 'お届けは二日かかります'],
    ['euc-kr', 'b9e8bcdbc0ba20c0ccc6b220b0c9b8b3b4cfb4d9', '배송은 이틀 걸립니다'],
    ['big5', 'b942b64facb0a4ada6caa4b8', '運費為五百元'],
  ])('%s', (encoding, hex, text) => {
    const bytes = Buffer.from(hex, 'hex')
    expect(decode(bytes)).toEqual({ text, encoding, isGuess: true })
    expect(encodingChoices(bytes)[0]).toEqual({ encoding, preview: text })
  })

  it('for a file of two encodings, whose lines are read each in its own', () => {
    const bytes = Buffer.concat([Buffer.from('Доставка по городу\n'), encode('Оплата картой\n', 'windows-1251')])
    expect(decode(bytes)).toEqual({
      text: 'Доставка по городу\nОплата картой\n',
      encoding: 'utf-8+windows-1251',
      isGuess: true,
    })
  })

  it('for Polish and Turkish, which differ from Western letters in a few places', () => {
    for (const [text, encoding] of [
      ['Dostawa zajmuje dwa dni. Płatność kartą.', 'windows-1250'],
      ['Teslimat iki gün sürer, ığdır şeker', 'windows-1254'],
    ] as const) {
      const bytes = encode(text, encoding)
      expect(decode(bytes).isGuess).toBe(true)
      expect(encodingChoices(bytes)).toContainEqual({ encoding, preview: text })
    }
  })
})

it('is not sure of Kazakh in its own code pages, also amid Russian, and the right one can be chosen', () => {
  const text = 'Доставка по Алматы стоит 1 500 теңге, оплата картой или наличными. Жеткізу қала бойынша.'
  const pages = { 'kz-1048': { ң: 0xbe, қ: 0x9d }, ptcp154: { ң: 0x9c, қ: 0x9d } }
  for (const [encoding, letters] of Object.entries(pages)) {
    const bytes = encode(text.replace(/[ңқ]/g, '?'), 'windows-1251')
    for (const [at, letter] of [...text].entries()) bytes[at] = letters[letter as 'ң'] ?? bytes[at] ?? 0
    expect(decode(bytes)).toEqual({ text, encoding, isGuess: true })
    expect(encodingChoices(bytes)[0]).toMatchObject({ encoding, preview: text })
    expect(decode(bytes, false, encoding).text).toBe(text)
    expect(isEncoding(encoding)).toBe(true)
  }
  const ukrainian = 'Доставка по Києву коштує 150 гривень, її можна повернути. Ґанок.'
  expect(decode(encode(ukrainian, 'windows-1251'))).toMatchObject({ text: ukrainian, isGuess: false })
})

it('gives different previews only, and takes the choice of a person', () => {
  const bytes = Buffer.from('b2fac6b7bcdbb8f1a3ba313030d4aa', 'hex')
  const previews = encodingChoices(bytes).map(({ preview }) => preview)
  expect(new Set(previews).size).toBe(previews.length)
  expect(decode(bytes, false, 'big5').text).not.toBe(decode(bytes, false, 'gb18030').text)
  expect([isEncoding('gb18030'), isEncoding('utf-8+windows-1251'), isEncoding('klingon')]).toEqual([true, true, false])
})

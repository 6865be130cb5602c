// The input of the inbox search as queries, and its results as they are shown.
import { describe, expect, it } from 'vitest'
import { MARKS, nameQuery, phoneQuery, toPieces } from './search.rules.ts'

describe('the query for names', () => {
  it('takes each word as a beginning, and nothing but words', () => {
    expect(nameQuery("Анна O'Neil & !")).toBe("('анна':* | 'anna':*) & 'o':* & ('neil':* | 'неил':* | 'нейл':*)")
    expect(nameQuery(' … ')).toBeNull()
    expect(nameQuery('@anna.k')).toBe("'anna.k':*")
  })

  it('evens out letters that few keyboards have', () => {
    expect(nameQuery('Алёна Әсем')).toBe("('алена':* | 'alena':*) & ('асем':* | 'asem':*)")
    expect(nameQuery('Алексеи\u0306')).toContain("('алексей':* | 'aleksey':* | 'alexey':*")
  })

  it.each([
    ['Zhanna', 'жанна'],
    ['Мария', 'maria'],
    ['Yulia', 'юлия'],
    ['Дмитрий', 'dmitry'],
    ['Dmitry', 'дмитрий'],
    ['Асель', 'asel'],
  ])('asks for %s in the other alphabet too, as %s', (typed, other) => {
    expect(nameQuery(typed)).toContain(`'${other}':*`)
  })
})

describe('the query for a number', () => {
  it.each([
    ['+7 701 555-00-11', "'tel1100555107':*"],
    ['8 (701) 555 00 11', "'tel1100555107':*"],
    ['87015550011', "'tel1100555107':*"],
    ['701 555 00 11', "'tel1100555107':*"],
    ['555-00-11', "'tel1100555':*"],
    ['030 901820', "'tel02810903':*"],
    ['0011', "'tel1100':*"],
    ['\u202a+7\u00a0701\u202f555‑00–11\u202c', "'tel1100555107':*"],
    ['8 (701) - 555 - 00 - 11', "'tel1100555107':*"],
    ['+996 555 12-34-56', "'tel654321555':*"],
    ['996555123456', "'tel654321555':*"],
    ['٨٧٠١٥٥٥٠٠١١', "'tel1100555107':*"],
    ['+۷ ۷۰۱ ۵۵۵ ۰۰ ۱۱', "'tel1100555107':*"],
    ['＋７ ７０１ ５５５ ００ １１', "'tel1100555107':*"],
    ['тел. 8 701 555-00-11', "'tel1100555107':*"],
    ['Телефон: 87015550011', "'tel1100555107':*"],
    ['tel:+77015550011', "'tel1100555107':*"],
    ['https://wa.me/77015550011', "'tel1100555107':*"],
    ['77015550011@c.us', "'tel1100555107':*"],
    ['8·701·555·00·11,', "'tel1100555107':*"],
    ['№ 4815162342', "'tel2432615184':*"],
    ['011', null],
    ['order 87015550011', null],
    ['1234567890123456', null],
    ['', null],
  ])('%s is %s', (typed, query) => {
    expect(phoneQuery(typed)).toBe(query)
  })

  it('is one way to find a contact, besides their names', () => {
    expect(nameQuery('555-00-11')).toBe("('555':* & '00':* & '11':*) | 'tel1100555':*")
    expect(nameQuery('anna@example.com')).toBe("'anna@example.com':*")
    expect(nameQuery('@anna')).toBe("('anna':* | 'анна':*)")
  })
})

describe('an excerpt', () => {
  it('is cut at the marks', () => {
    const marked = `where is my ${MARKS.start}order${MARKS.stop}, my ${MARKS.start}order${MARKS.stop}`
    expect(toPieces(marked)).toEqual([
      { text: 'where is my ', isMatch: false },
      { text: 'order', isMatch: true },
      { text: ', my ', isMatch: false },
      { text: 'order', isMatch: true },
    ])
  })

  it('is whole without any', () => {
    expect(toPieces('plain')).toEqual([{ text: 'plain', isMatch: false }])
  })
})

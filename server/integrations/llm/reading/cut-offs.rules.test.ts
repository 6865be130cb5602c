// What of an answer is whole that was cut.
import { describe, expect, it } from 'vitest'
import { joined, wholeSentences } from './cut-offs.rules.ts'

describe('whole sentences', () => {
  it.each([
    ['Delivery in Almaty is free. For Astana it costs', 'Delivery in Almaty is free.'],
    ['Delivery in Almaty is free, but for Astana it costs', ''],
    ['Yes! It costs 4.9', 'Yes!'],
    ['Да. Улица ул. Абая, д. 5, и', 'Да.'],
    ['It is 4990. Also, e.g. the', 'It is 4990.'],
    ['He said "yes." Then', 'He said "yes."'],
    ['Is it free? Yes, in Almaty', 'Is it free?'],
    ['Three kinds:\n- red\n- blue\n- gre', 'Three kinds:\n- red\n- blue'],
    ['Do this:\n1. Open.\n2. Pu', 'Do this:\n1. Open.'],
    ['Look.\n```\nnpm start. Then', 'Look.'],
    ['It costs 5.', ''],
  ])('%j', (text, whole) => {
    expect(wholeSentences(text)).toBe(whole)
  })
})

describe('what comes after', () => {
  it.each([
    ['It is free.', 'Astana: 500.', 'It is free. Astana: 500.'],
    [
      'It is free in Almaty, always.',
      'It is free in Almaty, always. Astana: 500.',
      'It is free in Almaty, always. Astana: 500.',
    ],
    ['Kinds:\n- red', '- blue', 'Kinds:\n- red\n- blue'],
    ['', ' All of it.', 'All of it.'],
  ])('%j + %j', (whole, rest, text) => {
    expect(joined(whole, rest)).toBe(text)
  })
})

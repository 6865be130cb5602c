// Names that every provider takes, and that no other tool has.
import { describe, expect, it } from 'vitest'
import { modelNameOf, shortNameOf } from './names.rules.ts'

describe('the short name of a server', () => {
  it.each([
    ['Shop', [], 'shop'],
    ['Мой магазин', [], 'moy_magazin'],
    ['1С', [], 's_1s'],
    ['Shop', ['shop'], 'shop_2'],
    ['A very long name of a server', [], 'a_very_long_name_of'],
  ])('of %s', (name, taken, expected) => {
    expect(shortNameOf(name, taken)).toBe(expected)
  })
})

describe('the name of a tool for models', () => {
  it.each([
    ['shop', 'orderStatus', [], 'shop_order_status'],
    ['shop', 'order-status', ['shop_order_status'], 'shop_order_status_2'],
    ['hand', 'off', [], 'hand_off_2'],
    [
      'shop',
      'x'.repeat(20).concat('_', 'y'.repeat(60)),
      [],
      `shop_${'x'.repeat(20)}_${'y'.repeat(23)}_${'y'.repeat(14)}`,
    ],
  ])('of %s %s', (short, name, taken, expected) => {
    expect(modelNameOf(short, name, taken)).toBe(expected)
    expect(expected).toMatch(/^[a-z][a-z0-9_]{0,63}$/)
  })
})

// Phone numbers as people write them.
import { describe, expect, it } from 'vitest'
import { PHONE_PATTERN } from '#shared/channels/channels.ts'
import { countryOfTimeZone, internationalPhone } from './phones.ts'

describe('a number', () => {
  it.each([
    ['8 701 555-00-11', '77015550011'],
    ['8(701)5550011', '77015550011'],
    ['+7 701 555 00 11', '77015550011'],
    ['7 701 555 00 11', '77015550011'],
    ['701 555 00 11', '77015550011'],
    ['007 701 555 00 11', '77015550011'],
    ['\u202a+7\u00a0701\u202f555‑00–11\u202c', '77015550011'],
    ['8\u2009701\u2009555\u200900\u200911', '77015550011'],
    ['8·701·555·00·11', '77015550011'],
    ['８７０１５５５００１１', '77015550011'],
    ['tel:+77015550011', '77015550011'],
    ['тел. 8 701 555 00 11', '77015550011'],
    ['WhatsApp: +7 701 555-00-11', '77015550011'],
    ['https://wa.me/77015550011', '77015550011'],
    ['https://api.whatsapp.com/send?phone=77015550011', '77015550011'],
    ['77015550011@c.us', '77015550011'],
    ['+8 701 555-00-11', '77015550011'],
    ['+8(701)5550011', '77015550011'],
    ['+87015550011', '77015550011'],
    ['+8 495 123-45-67', '74951234567'],
    ['+8 800 080 77 77', '78000807777'],
    ['+84 95 123 45 67', '84951234567'],
    ['+84951234567', '84951234567'],
    ['+1 212 555 01 23', '12125550123'],
    ['+44 (0)20 7946 0958', '442079460958'],
    ['+44 20 7946 0958', '442079460958'],
    ['442079460958', '442079460958'],
    ['+998 90 123 45 67', '998901234567'],
  ])('typed in Kazakhstan as %s is %s', (typed, phone) => {
    expect(internationalPhone(typed, 'KZ')).toBe(phone)
    expect(typed).toMatch(PHONE_PATTERN)
  })

  it.each(['12345', '+7 701 555', 'call me', '', '+7 000 000 00 00'])('that is invalid is rejected: %s', (typed) => {
    expect(internationalPhone(typed, 'KZ')).toBeNull()
  })

  it('in national format is rejected where the country is unknown', () => {
    expect(internationalPhone('8 701 555-00-11', undefined)).toBeNull()
    expect(internationalPhone('+7 701 555-00-11', undefined)).toBe('77015550011')
  })

  it('of Germany is read by the rules of Germany', () => {
    expect(internationalPhone('+0 30 901820', 'DE')).toBe('4930901820')
    expect(internationalPhone('+8 701 555-00-11', 'DE')).toBeNull()
    expect(internationalPhone('030 901820', 'DE')).toBe('4930901820')
  })
})

describe('the country of a time zone', () => {
  it.each([
    ['Asia/Almaty', 'KZ'],
    ['Europe/Moscow', 'RU'],
    ['Asia/Yekaterinburg', 'RU'],
    ['Europe/Berlin', 'DE'],
    ['Asia/Calcutta', 'IN'],
    ['Europe/Kiev', 'UA'],
    ['UTC', undefined],
    ['No/Such', undefined],
  ])('%s is %s', (zone, country) => {
    expect(countryOfTimeZone(zone)).toBe(country)
  })
})

// Arguments cannot lead a call elsewhere: they stand encoded in the path, in values of the query and in texts of the body.
import { describe, expect, it } from 'vitest'
import type { ToolArguments } from '#shared/tools/tools.ts'
import { isHostAllowed, requestOf } from './request.rules.ts'

const urlOf = (url: string, values: ToolArguments) => requestOf({ url, method: 'GET', body: '' }, values)?.url.href
const bodyOf = (body: string, values: ToolArguments) =>
  requestOf({ url: 'https://shop.example/search', method: 'POST', body }, values)?.body
const ORDER = 'https://shop.example/orders/{number}?phone={phone}'

describe('an address', () => {
  it('has arguments in its path and in values of its query', () => {
    expect(urlOf(ORDER, { number: 'A-1', phone: '+77011234567' })).toBe(
      'https://shop.example/orders/A-1?phone=%2B77011234567',
    )
  })

  it('leaves out a pair whose argument is missing', () => {
    expect(urlOf(ORDER, { number: 7 })).toBe('https://shop.example/orders/7')
  })

  it.each([
    ['a/b?c#d', 'https://shop.example/orders/a%2Fb%3Fc%23d'],
    ['1&admin=true', 'https://shop.example/orders/1%26admin%3Dtrue'],
    ['@evil.example', 'https://shop.example/orders/%40evil.example'],
    ['\\..\\', 'https://shop.example/orders/%5C..%5C'],
    ["it's (1)!*", 'https://shop.example/orders/it%27s%20%281%29%21%2A'],
    ['%2e%2e', 'https://shop.example/orders/%252e%252e'],
    ['заказ', 'https://shop.example/orders/%D0%B7%D0%B0%D0%BA%D0%B0%D0%B7'],
    ['\ud800', 'https://shop.example/orders/%EF%BF%BD'],
    ['{phone}', 'https://shop.example/orders/%7Bphone%7D'],
    ['a\r\nHost: evil', 'https://shop.example/orders/a%0D%0AHost%3A%20evil'],
  ])('stays the same for %j', (number, expected) => {
    expect(urlOf('https://shop.example/orders/{number}', { number })).toBe(expected)
  })

  it.each([
    // 1C and others by OData, Bitrix24, and what people copy from the line of a browser.
    [
      "http://1c.example/base/odata/standard.odata/Document_ЗаказКлиента?$filter=Number eq '{number}'&$format=json",
      'http://1c.example/base/odata/standard.odata/Document_%D0%97%D0%B0%D0%BA%D0%B0%D0%B7%D0%9A%D0%BB%D0%B8%D0%B5%D0%BD%D1%82%D0%B0?$filter=Number%20eq%20%27A%201%27%27%20or%201%20eq%201%27&$format=json',
    ],
    ["https://shop.example/Orders('{number}')", 'https://shop.example/Orders(%27A%201%27%27%20or%201%20eq%201%27)'],
    [
      'https://b24.example/list?filter[TITLE]={number}',
      'https://b24.example/list?filter[TITLE]=A%201%27%20or%201%20eq%201',
    ],
    [
      'https://shop.example/find?q="{number}"&город=Алматы',
      'https://shop.example/find?q=%22A%201%27%20or%201%20eq%201%22&%D0%B3%D0%BE%D1%80%D0%BE%D0%B4=%D0%90%D0%BB%D0%BC%D0%B0%D1%82%D1%8B',
    ],
    ['https://shop.example/find?q=%22{number}%22', 'https://shop.example/find?q=%22A%201%27%20or%201%20eq%201%22'],
  ])('may be written as people have it: %s', (url, expected) => {
    expect(urlOf(url, { number: "A 1' or 1 eq 1" })).toBe(expected)
  })

  it.each([
    'https://shop.example/a\\b/{number}',
    'https://shop.example/a/../{number}',
    'https://shop.example/{number}?{number}=1',
    'https://shop.example/{num ber}',
  ])('is refused: %s', (url) => expect(urlOf(url, { number: '1' })).toBeUndefined())

  it('lets no argument end the quotes that it stands in', () => {
    const filter = "https://1c.example/Orders?$filter=Number eq '{number}' and Phone eq '{phone}'"
    const search = new URL(urlOf(filter, { number: "x' or 1 eq 1 or 'a' eq 'a", phone: '7701' }) ?? '').searchParams
    expect(search.get('$filter')).toBe("Number eq 'x'' or 1 eq 1 or ''a'' eq ''a' and Phone eq '7701'")
    const graph = '{"query": "{ order(number: \\"{number}\\") { state } }"}'
    expect(bodyOf(graph, { number: '1") { state } all(x: "' })).toBe(
      JSON.stringify({ query: '{ order(number: "1\\") { state } all(x: \\"") { state } }' }),
    )
  })

  it('leaves quotes alone where none are open', () => {
    const said = '{"text": "The customer\'s order {number}", "note": "{number}"}'
    expect(bodyOf(said, { number: 'O\'Neil "7"' })).toBe(
      JSON.stringify({ text: 'The customer\'s order O\'Neil "7"', note: 'O\'Neil "7"' }),
    )
  })

  it.each(['..', '.', ''])('comes of no segment %j, which would climb or list all', (number) => {
    expect(urlOf('https://shop.example/orders/{number}', { number })).toBeUndefined()
    expect(urlOf('https://shop.example/orders/{number}/lines', { number })).toBeUndefined()
  })

  it.each([
    'https://{host}.example/',
    '{scheme}://shop.example/',
    'https://shop.example:{port}/',
    'https://shop.example/?{name}=1',
    'https://shop.example/#{name}',
    'https://user:secret@shop.example/',
    'ftp://shop.example/',
    'https://shop.example/a/../b/{x}',
  ])('is not made of %s', (url) => {
    const values = { host: 'evil', scheme: 'https', port: '1', name: 'x', x: '1' }
    expect(urlOf(url, values)).toBeUndefined()
  })
})

describe('a body', () => {
  it('has values as they are, and texts with arguments in them', () => {
    expect(bodyOf('{"id":"{id}","note":"Order {id}","list":["{id}"]}', { id: 7 })).toBe(
      '{"id":7,"note":"Order 7","list":[7]}',
    )
  })

  it('leaves out a key whose argument is missing', () => {
    expect(bodyOf('{"id":"{id}","phone":"{phone}"}', { id: 1 })).toBe('{"id":1}')
  })

  it('cannot be broken out of', () => {
    const body = bodyOf('{"id":"{id}","isAdmin":false}', { id: '1","isAdmin":true,"x":"' })
    expect(JSON.parse(body ?? '')).toEqual({ id: '1","isAdmin":true,"x":"', isAdmin: false })
  })
})

describe('hosts', () => {
  it.each([
    ['api.shop.example', true],
    ['API.Shop.Example', true],
    ['api.shop.example.', true],
    ['shop.example', false],
    ['evil-api.shop.example', false],
    ['api.shop.example.evil.example', false],
    ['a.crm.example', true],
    ['a.b.crm.example', true],
    ['crm.example', false],
    ['evilcrm.example', false],
  ])('%s is allowed: %s', (host, expected) => {
    expect(isHostAllowed(host, ['api.shop.example', '*.crm.example'])).toBe(expected)
  })
})

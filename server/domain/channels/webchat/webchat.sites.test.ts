// Which site shows a web chat, and whether it may.
import { expect, it } from 'vitest'
import { isListed, siteAround } from './webchat.sites.ts'

const OURS = 'https://parley.example'

it.each([
  ['https://shop.example/', 'shop.example'],
  ['https://shop.example:8443/path?x', 'shop.example:8443'],
  ['http://shop.example/', 'http://shop.example'],
  ['http://localhost:3000/', 'localhost:3000'],
  ['https://xn--e1afmkfd.xn--p1ai/', 'пример.рф'],
  ['https://parley.example/', null],
  ['http://[::1]:3000/', null],
  ['about:srcdoc', null],
  ['', null],
  [undefined, null],
])('%j is listed as %j', (referrer, site) => expect(siteAround(referrer, OURS)).toBe(site))

it.each([
  ['shop.example', ['shop.example'], true],
  ['shop.example', ['other.example', 'http://shop.example'], true],
  ['shop.example', ['shop.example:443'], true],
  ['shop.example', ['*.shop.example'], false],
  ['a.b.shop.example', ['*.shop.example'], true],
  ['shop.example:8443', ['shop.example'], false],
  ['http://shop.example', ['shop.example'], false],
  ['http://shop.example:8080', ['http://*.example:8080'], true],
  ['localhost:3000', ['localhost:3000'], true],
  ['localhost:3000', ['localhost'], false],
  ['пример.рф', ['xn--e1afmkfd.xn--p1ai'], true],
  ['shop.example', [], false],
])('%j among %j: %s', (site, domains, isAllowed) => expect(isListed(domains, site, OURS)).toBe(isAllowed))

it('an installation that is reached by http itself is shown by both schemes', () => {
  expect(isListed(['shop.example'], 'http://shop.example', 'http://parley.example')).toBe(true)
})

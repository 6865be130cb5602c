// Where the web chat may be framed, as headers say it.
import { expect, it } from 'vitest'
import { widgetSettings } from '#shared/channels/webchat.ts'
import { widgetPolicy } from './security-headers.ts'

const { domains } = widgetSettings.shape

it.each([
  [['shop.example', '*.shop.example'], 'shop.example *.shop.example'],
  [['http://shop.example:8080', 'http://*.пример.рф'], 'http://shop.example:8080 http://*.xn--e1afmkfd.xn--p1ai'],
  [['localhost:3000', '127.0.0.1', 'shop.localhost'], 'http://localhost:3000 http://127.0.0.1 http://shop.localhost'],
  [['localhost.shop.example', 'notlocalhost'], 'localhost.shop.example notlocalhost'],
  [
    ['пример.рф', '*.пример.рф', 'пример.рф:8443'],
    'xn--e1afmkfd.xn--p1ai *.xn--e1afmkfd.xn--p1ai xn--e1afmkfd.xn--p1ai:8443',
  ],
  [[], "'none'"],
])('a chat of the sites %j is framed by them alone', (hosts, ancestors) => {
  expect(domains.parse(hosts)).toEqual(hosts)
  expect(widgetPolicy(hosts)).toContain(`frame-ancestors ${ancestors};`)
})

// Sites as people type them, and what a widget is offered as.
import { expect, it } from 'vitest'
import { widgetSettings } from '#shared/channels/webchat.ts'
import { hostOf, newWidget, snippetFor, wrongDomain } from './widget.rules.ts'

it.each([
  ['shop.example', 'shop.example'],
  ['  HTTPS://Shop.example/path?x#y ', 'shop.example'],
  ['*.shop.example', '*.shop.example'],
  ['http://localhost:8080/', 'localhost:8080'],
  ['http://127.0.0.1/', '127.0.0.1'],
  ['HTTP://Intranet:8080/start', 'http://intranet:8080'],
  ['http://*.shop.example', 'http://*.shop.example'],
  ['https://Магазин.рф/контакты', 'магазин.рф'],
  ['*.магазин.рф', '*.магазин.рф'],
])('takes the host out of %j', (typed, host) => {
  expect(hostOf(typed)).toBe(host)
  expect(wrongDomain([host])).toBeUndefined()
})

it.each([
  ...['', 'a b', "'self'", 'x; script-src *', '*', '*.*.example', 'shop..example', 'shop.example:'],
  ...[
    'shop.example:99999',
    'user@shop.example',
    'https://shop.example',
    'http://',
    'http://http://shop.example',
    'магазин。рф',
  ],
])('takes %j for no host', (domain) => expect(wrongDomain(['shop.example', domain])).toBe(domain))

it('offers a widget that the server takes, however long the agent’s name', () => {
  const widget = newWidget('x'.repeat(200), { ru: 'Привет', en: 'Hi' })
  expect(widgetSettings.parse(widget)).toEqual(widget)
})

it('says which widget the site embeds', () => {
  expect(snippetFor('https://parley.test', 'KEY')).toBe(
    '<script async src="https://parley.test/widget.js" data-key="KEY" data-lang="auto"></script>',
  )
})

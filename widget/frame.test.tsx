// Who is heard in the frame, and what is said out of it: only the page around, and only what it needs.
import { afterEach, expect, it, vi } from 'vitest'
import { listenToHost, readPlace, tellHost } from './frame.ts'

const SHOP = 'https://shop.example'
const IDENTITY = { userId: 'user-42', name: 'Anna', hash: 'a signature' }

afterEach(() => vi.restoreAllMocks())

function placeAt(path: string) {
  return readPlace(new URL(`https://chat.example${path}`) as unknown as Location)
}

/** What is heard of messages, each said by the page around unless told otherwise. */
function hearing() {
  const heard: unknown[] = []
  const stop = listenToHost(SHOP, { onOpen: (isOpen) => heard.push(isOpen), onIdentity: (who) => heard.push(who) })
  const say = (data: unknown, from: MessageEventInit = {}) =>
    window.dispatchEvent(new MessageEvent('message', { data, origin: SHOP, source: window.parent, ...from }))
  return { heard, say, stop }
}

it('reads from the address where it stands, and in which language', () => {
  const key = 'x'.repeat(22)
  expect(placeAt(`/widget/${key}?lang=ru-RU&host=${encodeURIComponent(`${SHOP}/goods?a=b`)}`)).toEqual({
    key,
    language: 'ru-RU',
    host: SHOP,
  })
  expect(placeAt(`/talk/${key}?lang=en&host=${SHOP}`)).toEqual({ key, language: 'en', host: null })
  expect(placeAt(`/widget/${key}`)).toMatchObject({ host: 'null', language: navigator.language })
})

it.each(['..%2F..%2Fmutation', '%2e%2e%2f%2e%2e', 'x%3Fy', 'x%23y', '%', '%E0%A4%A'])(
  'takes no key for another path of the server: %s',
  (key) => {
    const { pathname } = new URL(`/api/webchat/${placeAt(`/talk/${key}`).key}/session`, 'https://chat.example')
    expect(pathname).toMatch(/^\/api\/webchat\/[^/]+\/session$/)
  },
)

it('hears the page around', () => {
  const { heard, say, stop } = hearing()
  say({ parley: 'host', isOpen: true })
  say({ parley: 'identity', identity: { ...IDENTITY, token: 'more' } })
  stop()
  say({ parley: 'host', isOpen: false })
  expect(heard).toEqual([true, IDENTITY])
})

it('hears nobody else: another window of its origin, or another origin in its place', () => {
  const { heard, say, stop } = hearing()
  const beside = document.body.appendChild(document.createElement('iframe')).contentWindow
  for (const data of [
    { parley: 'host', isOpen: true },
    { parley: 'identity', identity: IDENTITY },
  ]) {
    say(data, { source: beside })
    say(data, { source: null })
    for (const origin of ['https://evil.example', `${SHOP}.evil.example`, 'http://shop.example', 'null', '']) {
      say(data, { origin })
    }
  }
  stop()
  expect(heard).toEqual([])
})

it.each([
  ['nothing', null],
  ['a word', 'open'],
  ['a list', []],
  ['words without a state', { parley: 'host' }],
  ['a state that is none', { parley: 'host', isOpen: 1 }],
  ['words of a frame', { parley: 'frame', isOpen: true }],
  ['words without an identity', { parley: 'identity' }],
  ['no identity', { parley: 'identity', identity: null }],
  ['a number for an id', { parley: 'identity', identity: { ...IDENTITY, userId: 42 } }],
  ['no name', { parley: 'identity', identity: { ...IDENTITY, name: null } }],
  ['a signature without end', { parley: 'identity', identity: { ...IDENTITY, hash: 'x'.repeat(100_000) } }],
])('makes nothing of %s', (_, data) => {
  const { heard, say, stop } = hearing()
  say(data)
  stop()
  expect(heard).toEqual([])
})

it('speaks to the page around by name, and to none that has none', () => {
  const said = vi.spyOn(window.parent, 'postMessage').mockImplementation(() => {})
  const message = { parley: 'frame', isOpen: true, isShown: true, position: 'right' } as const
  tellHost('null', message)
  expect(said).not.toHaveBeenCalled()
  tellHost(SHOP, message)
  expect(said.mock.calls).toEqual([[message, SHOP]])
})

// Messages between the frame and its host page: only from the host, and only to it.
import { afterEach, expect, it, vi } from 'vitest'
import { listenToHost, readPlace, tellHost } from './frame.ts'

const SHOP = 'https://shop.example'
const IDENTITY = { userId: 'user-42', name: 'Anna', hash: 'a signature' }

afterEach(() => vi.restoreAllMocks())

function placeAt(path: string) {
  return readPlace(new URL(`https://chat.example${path}`) as unknown as Location)
}

/** Collects what listenToHost reports. Messages come from the host page by default. */
function listen() {
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

it('listens to the host page', () => {
  const { heard, say, stop } = listen()
  say({ parley: 'host', isOpen: true })
  say({ parley: 'identity', identity: { ...IDENTITY, token: 'more' } })
  stop()
  say({ parley: 'host', isOpen: false })
  expect(heard).toEqual([true, IDENTITY])
})

it('ignores another window of the host origin, and another origin in its place', () => {
  const { heard, say, stop } = listen()
  const otherWindow = document.body.appendChild(document.createElement('iframe')).contentWindow
  for (const data of [
    { parley: 'host', isOpen: true },
    { parley: 'identity', identity: IDENTITY },
  ]) {
    say(data, { source: otherWindow })
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
])('ignores %s', (_, data) => {
  const { heard, say, stop } = listen()
  say(data)
  stop()
  expect(heard).toEqual([])
})

it('posts to the host origin only, and never without one', () => {
  const posted = vi.spyOn(window.parent, 'postMessage').mockImplementation(() => {})
  const message = { parley: 'frame', isOpen: true, isShown: true, position: 'right' } as const
  tellHost('null', message)
  expect(posted).not.toHaveBeenCalled()
  tellHost(SHOP, message)
  expect(posted.mock.calls).toEqual([[message, SHOP]])
})

// Links of earlier versions open what they opened.
import { expect, it } from 'vitest'
import { createRouter } from '#web/app/router.tsx'
import { renameAddressParams } from './earlier-address.ts'

it.each([
  ['/chats?place=archived&status=paused', '/chats?status=paused&folder=archived'],
  ['/conversations/c1?place=deleted&q=two+words#end', '/conversations/c1?q=two+words&folder=deleted#end'],
  ['/chats?place=archived&folder=deleted', '/chats?folder=deleted'],
  ['/chats?q=two%20words', '/chats?q=two%20words'],
  ['/knowledge?place=archived', '/knowledge?place=archived'],
])('%s is opened as %s', (given, opened) => {
  window.history.replaceState({ key: 'k' }, '', given)
  renameAddressParams()
  const { pathname, search, hash } = window.location
  expect(pathname + search + hash).toBe(opened)
  expect(window.history.state).toEqual({ key: 'k' })
})

it('the router begins with the present name', () => {
  window.history.replaceState(null, '', '/chats?place=deleted')
  const router = createRouter()
  expect(router.state.location).toMatchObject({ pathname: '/chats', search: '?folder=deleted' })
  router.dispose()
})

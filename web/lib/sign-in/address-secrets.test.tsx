// No secret stays in the address, however it came there.
import { describe, expect, it } from 'vitest'
import { createRouter } from '#web/app/router.tsx'
import { spendSecret, takeAddressSecrets, withoutSecrets } from './address-secrets.ts'

function arriveAt(path: string): void {
  window.history.replaceState({ key: 'kept' }, '', path)
}
const address = () => window.location.pathname + window.location.search + window.location.hash

describe('secrets in the address', () => {
  it('are gone before the router reads it, and can be used once', () => {
    arriveAt('/chats?ott=secret&status=paused#below')
    const router = createRouter()
    expect(router.state.location).toMatchObject({ pathname: '/chats', search: '?status=paused', hash: '#below' })
    expect(address()).toBe('/chats?status=paused#below')
    expect(window.history.state).toMatchObject({ key: 'kept' })
    router.dispose()
    expect([spendSecret('ott'), spendSecret('ott')]).toEqual(['secret', null])
  })

  it('add no entry to the history', () => {
    const before = window.history.length
    arriveAt('/agents?ott=secret')
    takeAddressSecrets()
    expect([window.history.length - before, spendSecret('ott')]).toEqual([0, 'secret'])
  })

  it.each([
    ['/agents?ott=s', '/agents'],
    ['/agents?a=1&ott=s&b=2', '/agents?a=1&b=2'],
    ['/agents?ott=s&ott=t#part', '/agents#part'],
    ['/agents?token=s', '/agents'],
    ['/agents#ott=s', '/agents'],
    ['/agents#a=1&token=s', '/agents#a=1'],
    ['/agents#/reset?token=s', '/agents#/reset'],
    ['/agents#/reset?a=1&token=s', '/agents#/reset?a=1'],
    ['/signin?from=%2Fchats%3Fott%3Ds%26status%3Dpaused', '/signin?from=%2Fchats%3Fstatus%3Dpaused'],
    ['/signin?from=%2Fsignup%3Ffrom%3D%252Fchats%253Fott%253Ds', '/signin?from=%2Fsignup%3Ffrom%3D%252Fchats'],
  ])('%s becomes %s', (before, after) => {
    expect(withoutSecrets(before)).toBe(after)
    arriveAt(before)
    takeAddressSecrets()
    expect(address()).toBe(after)
  })

  it.each(['/agents', '/agents?', '/chats?q=a+b&x=%20', '/shared-chat#c2VjcmV0==', '/chats?q=token', '/a#b?c#d'])(
    '%s stays as it is',
    (path) => expect(withoutSecrets(path)).toBe(path),
  )

  it('leave an address that looks like one of another host on this site', () => {
    window.history.replaceState(null, '', `${window.location.origin}//evil.example/?ott=s`)
    takeAddressSecrets()
    expect(address()).toBe('//evil.example/')
  })
})

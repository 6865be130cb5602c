// Where sign-in may lead.
import { describe, expect, it } from 'vitest'
import { safeReturnPath, signInPath } from './paths.ts'

describe('returning after sign-in', () => {
  it('goes back to the page asked for, with its query', () => {
    const path = signInPath('/chats?status=paused&page=2')
    const from = new URLSearchParams(path.split('?')[1]).get('from')
    expect(safeReturnPath(from)).toBe('/chats?status=paused&page=2')
  })

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '',
    null,
    '/signin?from=/a',
  ])('goes home rather than to %s', (from) => {
    expect(safeReturnPath(from)).toBe('/')
  })

  it('carries no secret of the address', () => {
    expect(signInPath('/?ott=secret')).toBe('/signin')
    expect(signInPath('/chats?ott=secret&status=paused')).toBe('/signin?from=%2Fchats%3Fstatus%3Dpaused')
    expect(safeReturnPath('/chats?ott=secret')).toBe('/chats')
  })

  it('leaves the home page out of the address', () => {
    expect(signInPath('/agents')).toBe('/signin?from=%2Fagents')
    expect(signInPath('/')).toBe('/signin')
  })
})

// Which origins are ours.
import { describe, expect, it } from 'vitest'
import { isOwnOrigin } from './origins.ts'

const rules = {
  publicUrl: 'https://parley.example',
  allowedOrigins: ['https://site.example'],
  acceptsRequestHost: false,
}

describe('isOwnOrigin', () => {
  it.each([
    ['https://parley.example', true],
    ['https://site.example', true],
    ['http://parley.example', false],
    ['https://parley.example:8443', false],
    ['https://parley.example.evil.test', false],
    ['https://parley.example/path', false],
    ['null', false],
    ['', false],
    ['file://', false],
  ])('%j: %s', (origin, expected) => {
    expect(isOwnOrigin(rules, origin, 'other.example')).toBe(expected)
  })

  it('believes the host of the request only where no public address was configured', () => {
    expect(isOwnOrigin(rules, 'http://192.168.0.5:3000', '192.168.0.5:3000')).toBe(false)
    const open = { ...rules, acceptsRequestHost: true }
    expect(isOwnOrigin(open, 'http://192.168.0.5:3000', '192.168.0.5:3000')).toBe(true)
    expect(isOwnOrigin(open, 'http://evil.test', '192.168.0.5:3000')).toBe(false)
    expect(isOwnOrigin(open, 'http://evil.test', null)).toBe(false)
  })
})

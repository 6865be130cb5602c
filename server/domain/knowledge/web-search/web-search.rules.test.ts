// Parsing of domains, and the domains that an agent's spaces restrict it to together.
import { describe, expect, it } from 'vitest'
import { domainName, domainOf, listedDomains } from './web-search.rules.ts'

describe('a domain', () => {
  it.each([
    ['example.com', 'example.com'],
    ['  Example.COM. ', 'example.com'],
    ['www.example.com', 'example.com'],
    ['https://www.example.com/docs?x=1#top', 'example.com'],
    ['http://help.example.co.uk:8080/', 'help.example.co.uk'],
    ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
    ['www.com', 'www.com'],
  ])('%s is %s', (text, domain) => {
    expect(domainOf(text)).toBe(domain)
  })

  it.each([
    '',
    'example',
    'localhost',
    '127.0.0.1',
    '2130706433',
    'http://[::1]/',
    'user:password@example.com',
    'ftp://example.com',
    'example..com',
    '-example.com',
    'exa mple.com',
    '*.example.com',
    `${'a'.repeat(64)}.com`,
  ])('%s is none', (text) => {
    expect(domainOf(text)).toBeNull()
  })

  it('is shown as people write it', () => {
    expect(domainName('xn--e1afmkfd.xn--p1ai')).toBe('пример.рф')
    expect(domainName('example.com')).toBe('example.com')
  })
})

it('spaces keep an agent to what any of them lists, however many list nothing', () => {
  const space = (...domains: string[]) => ({ domains: domains.map((domain) => ({ domain, name: domain })) })
  expect(listedDomains([space(), space('a.test', 'b.test'), space('b.test')])).toEqual(['a.test', 'b.test'])
  expect(listedDomains([space(), space()])).toEqual([])
})

// Which addresses belong to a site, what its robots.txt allows, and what its sitemap lists.
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readRobots } from './robots.rules.ts'
import { isOfSite, siteAddress } from './site-addresses.rules.ts'
import { readSitemap } from './sitemap.rules.ts'

describe('an address', () => {
  it.each([
    ['shop.example', 'https://shop.example/'],
    ['  HTTP://Shop.Example:80/Docs/?b=2&a=1#top ', 'http://shop.example/Docs/?a=1&b=2'],
    ['https://shop.example/?utm_source=x&gclid=1&page=2', 'https://shop.example/?page=2'],
    ['https://магазин.рф/доставка', 'https://xn--80aairftm.xn--p1ai/%D0%B4%D0%BE%D1%81%D1%82%D0%B0%D0%B2%D0%BA%D0%B0'],
  ])('%s is kept as %s', (text, kept) => {
    expect(siteAddress(text)).toBe(kept)
  })

  it.each([
    '',
    'localhost',
    'ftp://shop.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://a:b@shop.example/',
    'https://[bad/',
  ])('%s is none', (text) => {
    expect(siteAddress(text)).toBeNull()
  })

  it.each([
    ['https://shop.example/docs/a', 'https://shop.example/docs', true],
    ['https://shop.example/docs', 'https://shop.example/docs', true],
    ['https://shop.example/docs2', 'https://shop.example/docs', false],
    ['https://shop.example/docs/b', 'https://shop.example/docs/index.html', true],
    ['https://shop.example/about', 'https://shop.example/docs/', false],
    ['http://shop.example/docs/a', 'https://shop.example/docs/', true],
    ['https://other.example/docs/a', 'https://shop.example/docs/', false],
    ['https://shop.example:8443/docs/a', 'https://shop.example/docs/', false],
    ['https://shop.example/docs/photo.JPG', 'https://shop.example/docs/', false],
  ])('%s, reached from %s by links, is a page of it: %s', (address, start, isOf) => {
    expect(isOfSite(address, start, 'crawl')).toBe(isOf)
  })

  it('listed by a sitemap may be anywhere on the host', () => {
    expect(isOfSite('https://shop.example/about', 'https://shop.example/maps/sitemap.xml', 'sitemap')).toBe(true)
    expect(isOfSite('https://other.example/about', 'https://shop.example/maps/sitemap.xml', 'sitemap')).toBe(false)
  })
})

describe('robots.txt', () => {
  const may = (text: string, path: string) => readRobots(text).mayRead(`https://shop.example${path}`)

  it('allows what it does not mention', () => {
    expect(may('', '/a')).toBe(true)
    expect(may('User-agent: *\nDisallow:', '/a')).toBe(true)
    expect(may('Disallow: /', '/a')).toBe(true) // of no group
    expect(may('User-agent: other\nDisallow: /', '/a')).toBe(true)
  })

  it('is obeyed: the longest rule counts, and of two as long the one that allows', () => {
    const text = 'User-agent: *\nDisallow: /shop\nAllow: /shop/open\nDisallow: /x\nAllow: /x'
    expect(may(text, '/shop/cart')).toBe(false)
    expect(may(text, '/shop/open/1')).toBe(true)
    expect(may(text, '/x')).toBe(true)
  })

  it('knows marks for anything and for the end', () => {
    const text = 'User-agent: *\nDisallow: /*.php$\nDisallow: /*?sort=\nDisallow: /a*b*c'
    expect(may(text, '/page.php')).toBe(false)
    expect(may(text, '/page.php5')).toBe(true)
    expect(may(text, '/list?sort=price')).toBe(false)
    expect(may(text, '/axxbxxc')).toBe(false)
    expect(may(text, '/axxcxxb')).toBe(true)
    expect(may(`User-agent: *\nDisallow: /${'*a'.repeat(2000)}$`, `/${'a'.repeat(1999)}`)).toBe(true)
  })

  it('compares addresses in letters of any alphabet, encoded or not', () => {
    const text = 'User-agent: *\nDisallow: /корзина\nDisallow: /%d0%b7%d0%b0%d0%ba%d0%b0%d0%b7'
    expect(may(text, '/корзина/1')).toBe(false)
    expect(may(text, '/%D0%BA%D0%BE%D1%80%D0%B7%D0%B8%D0%BD%D0%B0')).toBe(false)
    expect(may(text, '/заказ')).toBe(false)
    expect(may(text, '/каталог')).toBe(true)
  })

  it('reads so many wildcards that comparing them with an address stays quick', () => {
    const rules = Array.from({ length: 4000 }, (_, number) => `Disallow: /${'*a'.repeat(45)}${number}`)
    const text = ['User-agent: *', ...rules, 'Disallow: /*last', 'Disallow: /plain'].join('\n')
    expect(may(text, `/${'a'.repeat(90)}1`)).toBe(false)
    expect(may(text, '/last')).toBe(true)
    expect(may(text, '/plain')).toBe(false)
  })

  it('is read in the groups that name us, where there are any', () => {
    const text =
      'User-agent: *\nDisallow: /\n\nUser-agent: Parley # us\nUser-agent: other\nDisallow: /own\nCrawl-delay: 2'
    expect(may(text, '/a')).toBe(true)
    expect(may(text, '/own')).toBe(false)
    expect(readRobots(text).delayMs).toBe(2000)
    expect(readRobots('User-agent: *\nCrawl-delay: 3600').delayMs).toBe(10_000)
  })
})

describe('a sitemap', () => {
  const urlset = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    <url><loc> https://shop.example/a?x=1&amp;y=2 </loc></url><url><loc><![CDATA[https://shop.example/b]]></loc></url></urlset>`
  const pages = ['https://shop.example/a?x=1&y=2', 'https://shop.example/b']

  it('lists pages, packed or not', async () => {
    expect(await readSitemap(Buffer.from(urlset))).toEqual({ pages, sitemaps: [] })
    expect(await readSitemap(gzipSync(urlset))).toEqual({ pages, sitemaps: [] })
  })

  it('lists further sitemaps', async () => {
    const index = '<sitemapindex><sitemap><loc>https://shop.example/1.xml</loc></sitemap></sitemapindex>'
    expect(await readSitemap(Buffer.from(index))).toEqual({ pages: [], sitemaps: ['https://shop.example/1.xml'] })
  })

  it('may be a text with an address a line', async () => {
    const text = 'https://shop.example/a\r\n\nhttps://shop.example/b\n'
    expect((await readSitemap(Buffer.from(text)))?.pages).toEqual(['https://shop.example/a', 'https://shop.example/b'])
  })

  it('is none where something else stands, or more than can be unpacked', async () => {
    for (const other of ['', '<html>Not found</html>', 'hello', '\u001f\u008bbroken'])
      expect(await readSitemap(Buffer.from(other, 'latin1'))).toBeUndefined()
    expect(await readSitemap(gzipSync(Buffer.alloc(60 * 1024 * 1024)))).toBeUndefined()
  })

  it('expands nothing that it declares', async () => {
    const laughs = `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>https://shop.example/&b;</loc></url></urlset>`
    expect((await readSitemap(Buffer.from(laughs)))?.pages).toEqual(['https://shop.example/&b;'])
  })
})

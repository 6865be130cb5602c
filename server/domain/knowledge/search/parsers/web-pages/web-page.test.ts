// What is read from a page: its words, its links, and its robots rules.
import { describe, expect, it } from 'vitest'
import { readWebPageGuarded } from './read-guarded.ts'
import { readWebPage } from './web-page.ts'

const URL_OF_PAGE = 'https://shop.example/docs/page.html'
const read = (html: string) => readWebPage(Buffer.from(html), URL_OF_PAGE, 100_000)

describe('a page', () => {
  it('is extracted as a reader sees it', () => {
    const { title, text } = read(`<html><head><title> Доставка\n и оплата </title><style>p{}</style></head><body>
      <nav>Меню</nav><h1>Доставка</h1><p>Два дня.</p><ul><li>Курьер</li></ul>
      <table><tr><th>Город</th><th>Цена</th></tr><tr><td>Алматы</td><td>500</td></tr></table>
      <script>alert('x')</script></body></html>`)
    expect(title).toBe('Доставка и оплата')
    expect(text).toBe('# Доставка\nДва дня.\n- Курьер\nГород | Цена: Алматы | 500')
  })

  it('has another hash when, and only when, a reader would see something else', () => {
    const page = (text: string, script: string) => read(`<p>${text}</p><script nonce="${script}">${script}</script>`)
    expect(page('Два дня.', 'a').contentHash).toBe(page('Два дня.', 'b').contentHash)
    expect(page('Два дня.', 'a').contentHash).not.toBe(page('Три дня.', 'a').contentHash)
  })

  it('gives its links as whole addresses, each once, without those that are none', () => {
    const { links } = read(`<a href="/about">1</a><a href="other.html#part">2</a><a href="other.html">3</a>
      <a href="mailto:a@b.c">4</a><a href="javascript:alert(1)">5</a><a href="http://[bad">6</a><a>7</a>
      <a href="/secret" rel="nofollow">8</a><a href="https://elsewhere.test/">9</a>`)
    expect(links).toEqual([
      'https://shop.example/about',
      'https://shop.example/docs/other.html',
      'https://elsewhere.test/',
    ])
  })

  it('is read from where its base says', () => {
    expect(read('<base href="/root/"><a href="x">1</a>').links).toEqual(['https://shop.example/root/x'])
  })

  it('says what it allows to robots', () => {
    expect(read('<p>a</p>')).toMatchObject({ mayIndex: true, mayFollow: true })
    expect(read('<meta name="ROBOTS" content="NoIndex, follow">')).toMatchObject({ mayIndex: false, mayFollow: true })
    expect(read('<meta name="robots" content="nofollow">')).toMatchObject({ mayIndex: true, mayFollow: false })
    expect(read('<meta name="parley" content="none">')).toMatchObject({ mayIndex: false, mayFollow: false })
  })

  it('is cut where it is too long, and holds nothing that cannot be stored', () => {
    expect(readWebPage(Buffer.from(`<p>${'а\0'.repeat(500)}</p>`), URL_OF_PAGE, 100).text.length).toBeLessThanOrEqual(
      100,
    )
    expect(read('<p>a\0b</p>').text).not.toContain('\0')
  })

  it('is read in a process of its own, which ends when the caller aborts', async () => {
    const bytes = Buffer.from('<title>Страница</title><p>Слова.</p>')
    expect(await readWebPageGuarded(bytes, URL_OF_PAGE, new AbortController().signal)).toMatchObject({
      title: 'Страница',
      text: 'Слова.',
    })
    const stop = new AbortController()
    const reading = readWebPageGuarded(bytes, URL_OF_PAGE, stop.signal)
    stop.abort(new Error('not wanted any more'))
    await expect(reading).rejects.toThrow('not wanted any more')
  })
})

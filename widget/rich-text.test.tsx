// What a text can become in a bubble: a few kinds of marks and links, and never anything that loads or runs.
import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { RichText } from './rich-text.tsx'

function shown(text: string): HTMLElement {
  return render(<RichText text={text} />).container
}

it('marks bold and code, and leaves everything else as it was written', () => {
  const bubble = shown('**Now** run `npm start`:\n1. one\n2. two * 3')
  expect(bubble.querySelector('strong')?.textContent).toBe('Now')
  expect(bubble.querySelector('code')?.textContent).toBe('npm start')
  expect(bubble.textContent).toBe('Now run npm start:\n1. one\n2. two * 3')
})

it('keeps a price in one line, and leaves code as it is', () => {
  expect(shown('Tea **1 500 ₸**, 2 000 ₸, `1 500 ₸`').textContent).toBe(
    'Tea 1\u00a0500\u00a0₸, 2\u00a0000\u00a0₸, 1 500 ₸',
  )
})

it('leaves the full stop out of a link', () => {
  const link = shown('See https://shop.example/a?b=c.').querySelector('a')
  expect(link?.href).toBe('https://shop.example/a?b=c')
  expect(link?.rel).toContain('noopener')
})

it.each([
  ['[your bank](https://evil.example/x)', 'your bank (evil.example)'],
  ['[https://bank.example/evil.example](https://evil.example/x)', 'https://bank.example/evil.example (evil.example)'],
  ['[https://shop.example/page](https://shop.example/other)', 'https://shop.example/page'],
  ['[write to us](mailto:help@shop.example)', 'write to us (help@shop.example)'],
])('shows where %j leads, unless its label says so', (text, expected) => {
  expect(shown(text).textContent).toBe(expected)
})

it.each([
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '![x](https://canary.example/x.png)',
  '[x](javascript:alert(1))',
  '[x](data:text/html,x)',
  'javascript:alert(1)',
  '[x][1]\n\n[1]: https://canary.example',
])('loads and runs nothing of %j', (text) => {
  const bubble = shown(text)
  expect(bubble.querySelector('img, script, iframe, style, [onerror]')).toBeNull()
  for (const link of bubble.querySelectorAll('a')) expect(link.protocol).toBe('https:')
})

it('shows a text of signs alone as it stands, however long it is', () => {
  // Looking ahead from each of them without a limit would take minutes.
  for (const text of ['['.repeat(300_000), '[a](http://'.repeat(30_000), `https://a${')'.repeat(300_000)}b`]) {
    expect(shown(text).textContent).toBe(text)
  }
})

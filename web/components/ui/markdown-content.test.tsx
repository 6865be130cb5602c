// What of a model's Markdown may reach beyond the page.
import { render, screen } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import { startI18n } from '#web/lib/i18n.ts'
import { MarkdownContent } from './markdown-content.tsx'

beforeAll(() => startI18n('en'))

const draw = (text: string) => render(<MarkdownContent text={text} isStreaming={false} />).container

it.each([
  '![seen](https://elsewhere.example/pixel.png?who=anna)',
  '![seen](data:image/png;base64,AAAA)',
  '<img src="https://elsewhere.example/pixel.png">',
])('loads no picture: %s', (text) => {
  expect(draw(`before ${text} after`).querySelector('img')).toBeNull()
  expect(screen.getByText(/before/)).toBeVisible()
})

it.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,<script>alert(1)</script>', 'vbscript:x'])(
  'leads nowhere that runs: %s',
  (address) => {
    const links = [...draw(`[press](<${address}>)`).querySelectorAll('a')]
    expect(links.map(({ protocol }) => protocol).filter((protocol) => !/^https?:$/.test(protocol))).toEqual([])
  },
)

it('runs no HTML', () => {
  const drawn = draw(
    '<script>alert(1)</script> <b onclick="alert(1)">bold</b> <iframe src="https://elsewhere.example"></iframe>',
  )
  expect(drawn.querySelector('script, iframe, [onclick]')).toBeNull()
})

it('leads to other sites without telling them of the page', () => {
  const [link] = draw('[the shop](https://shop.example/tea)').querySelectorAll('a')
  expect(link).toHaveAttribute('href', 'https://shop.example/tea')
  expect(link).toHaveAttribute('rel', expect.stringContaining('noreferrer'))
})

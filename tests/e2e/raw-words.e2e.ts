// That a screen without words fails a story.
import { launchBrowser } from '#tests/browser.ts'
import { expect, test } from './fixtures.ts'
import { watchRawWords } from './raw-words.ts'

const RAW = [
  'error.Invalid input',
  'settings:list.title',
  'model_failed',
  'Hello {{name}}',
  'undefined of 3',
  '[object Object]',
]
const WORDS = [
  'terms.md',
  'page.html',
  'example.com',
  '{{1}}, your order',
  'An error. Try again.',
  'order_id',
  'errors.txt',
]

test('keys, codes and gaps are seen wherever they are shown, and words are let be', async () => {
  const browser = await launchBrowser()
  const seen = watchRawWords(browser)
  const page = await (await browser.newContext()).newPage()
  const shown = (texts: string[]) =>
    page.setContent(`<div id="root">${texts.map((text) => `<p>${text}</p>`).join('')}<code>model_failed</code></div>`)
  await shown(WORDS)
  expect(seen.take()).toEqual([])
  await shown(RAW)
  await page.locator('#root').evaluate((root) => root.setAttribute('aria-label', 'errors.not.there'))
  const expected = [...RAW, 'errors.not.there']
  const found: string[] = []
  await expect
    .poll(() => {
      found.push(...seen.take().map((each) => each.replace(/ at \S+$/, '')))
      return found
    })
    .toEqual(expected)
  await browser.close()
})

// A fault that occurs in one look only fails a story; and the looks in which stories are played.
import { expect, test } from './fixtures.ts'
import { findFaults, looksOf } from './looks.ts'

const PAGE = `<!doctype html><html lang="en"><title>A page</title>
  <style>
    body { background: #fff; color: #000 }
    .dark body { background: #000; color: #fff }
    @media (max-width: 500px) { .dark #dark-narrow { color: #333 } html:not(.dark) #light-narrow { color: #ddd } }
    @media (min-width: 501px) { .dark #dark-wide { color: #333 } html:not(.dark) #light-wide { color: #ddd } }
  </style>
  <main>
    <h1>A page</h1>
    <p id="dark-narrow">Text</p><p id="light-narrow">Text</p><p id="dark-wide">Text</p><p id="light-wide">Text</p>
    <input id="unnamed">
  </main></html>`

/** Where each language finds the low contrast, and in both looks the field without a name. */
const FAULTS = {
  ru: [
    'light at 1280: color-contrast at #light-wide, #dddddd on #ffffff',
    'dark at 375: color-contrast at #dark-narrow, #333333 on #000000',
  ],
  en: [
    'dark at 1280: color-contrast at #dark-wide, #333333 on #000000',
    'light at 375: color-contrast at #light-narrow, #dddddd on #ffffff',
  ],
}
const UNNAMED = {
  ru: ['light at 1280: label at #unnamed', 'dark at 375: label at #unnamed'],
  en: ['dark at 1280: label at #unnamed', 'light at 375: label at #unnamed'],
}

for (const language of ['ru', 'en'] as const) {
  test(`a contrast that is too low and a field without a name are found: ${language}`, async ({ browser }) => {
    const page = await (await browser.newContext()).newPage()
    await page.setContent(PAGE)
    const expected = [...FAULTS[language], ...UNNAMED[language]].map((fault) => `a page, ${fault}`)
    expect(await findFaults(page, 'a page', { language })).toEqual(expect.arrayContaining(expected))
    await page.context().close()
  })
}

test('a page that is wider than a phone is found', async ({ browser }) => {
  const page = await (await browser.newContext()).newPage()
  await page.setContent(
    '<!doctype html><html lang="en"><title>A page</title><main style="width: 400px">Text</main></html>',
  )
  const faults = await findFaults(page, 'a page', { language: 'ru' })
  expect(faults).toContainEqual(expect.stringMatching(/^a page is \d+ px too wide for 375$/))
  await page.context().close()
})

test('played in every look, a story sees each language and each width in both themes', () => {
  for (const usual of ['ru 375 light', 'en 1280 light', 'ru 1280 dark'] as const) {
    expect(looksOf(usual, false).map(({ name }) => name)).toEqual([usual])
    const looks = looksOf(usual, true)
    expect(looks.map(({ name }) => name)).toContain(usual)
    const seen = new Set(looks.flatMap(({ language, width, theme }) => [`${language} ${theme}`, `${width} ${theme}`]))
    expect(seen.size).toBe(8)
    expect(new Set(looks.map(({ id }) => id)).size).toBe(4)
  }
})

// Judging what a page shows as it stands in both themes and at both widths, without opening it again for each: what a theme changes are
// colours, which are judged alone in the second one.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import { expect } from './fixtures.ts'

export const NARROW = { width: 375, height: 800 }
export const WIDE = { width: 1280, height: 800 }
const AXE = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** @param within selector of what is judged; the whole page unless told @param widths both unless told */
export async function judgeLooks(page: Page, name: string, within?: string, widths = [WIDE, NARROW]): Promise<void> {
  const found: string[] = []
  for (const size of widths) {
    await page.setViewportSize(size)
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
    const colours = { type: 'rule', values: OF_COLOURS } as const
    const everything = { type: 'tag', values: WCAG } as const
    for (const [theme, runOnly] of [
      ['light', everything],
      ['dark', colours],
    ] as const) {
      const violations = await page.evaluate(violationsIn, { theme, within, runOnly })
      found.push(...violations.map((each) => `${name}, ${theme} at ${size.width}: ${each}`))
    }
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    if (excess > 0) found.push(`${name} is ${excess} px too wide for ${size.width}`)
  }
  await page.setViewportSize(widths[0] ?? WIDE)
  expect.soft(found).toEqual([])
}

type Judged = { theme: 'light' | 'dark'; within: string | undefined; runOnly: axe.RunOnly }

/** Runs in the page. Colours on their way from one theme to the other would be judged as they are in between. */
async function violationsIn({ theme, within, runOnly }: Judged): Promise<string[]> {
  const still = new CSSStyleSheet()
  still.replaceSync('*, ::before, ::after { transition: none !important; animation-duration: 0s !important }')
  document.adoptedStyleSheets = [still]
  document.documentElement.classList.toggle('dark', theme === 'dark')
  const { axe: judge } = window as unknown as { axe: typeof axe }
  const { violations, passes } = await judge.run(within ?? document, { runOnly, resultTypes: ['violations'] })
  document.documentElement.classList.remove('dark')
  document.adoptedStyleSheets = []
  if (violations.length + passes.length === 0) return ['nothing was judged']
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`))
}

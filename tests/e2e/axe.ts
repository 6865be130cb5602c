// What axe finds against WCAG 2.2 AA on a page, in the theme that it shows or in another one.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

export type Theme = 'light' | 'dark'
/** `within`: selector of what is judged, the whole page by default. `theme`: put on for the time of judging. */
type Judged = { within?: string | undefined; theme?: Theme | undefined }

const SOURCE = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** One line for each element that breaks a rule. @param judged `theme` is for pages without frames alone */
export async function findViolations(page: Page, judged: Judged = {}): Promise<string[]> {
  return page.frames().length > 1 ? violationsWithFrames(page, judged) : violationsOfPage(page, judged)
}

/** Judges the frames of other origins too, for which it opens a page of its own each time. */
async function violationsWithFrames(page: Page, { within }: Judged): Promise<string[]> {
  const builder = new AxeBuilder({ page }).withTags(RULES)
  const { violations } = await (within ? builder.include(within) : builder).analyze()
  return linesOf(violations)
}

async function violationsOfPage(page: Page, { within, theme }: Judged): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE)
  return linesOf(await page.evaluate(runInPage, { within, theme, rules: RULES }))
}

/** Colours on their way from one theme to the other would be judged as they are in between. */
async function runInPage({ within, theme, rules }: Judged & { rules: string[] }): Promise<axe.Result[]> {
  const { axe: judge } = window as unknown as { axe: typeof axe }
  const { classList } = document.documentElement
  const wasDark = classList.contains('dark')
  const still = new CSSStyleSheet()
  still.replaceSync('*, ::before, ::after { transition: none !important; animation-duration: 0s !important }')
  const sheets = document.adoptedStyleSheets
  if (theme) {
    document.adoptedStyleSheets = [...sheets, still]
    classList.toggle('dark', theme === 'dark')
  }
  const runOnly = { type: 'tag', values: rules } as const
  const { violations, passes } = await judge.run(within ?? document, { runOnly, resultTypes: ['violations'] })
  if (theme) {
    classList.toggle('dark', wasDark)
    document.adoptedStyleSheets = sheets
  }
  if (violations.length + passes.length === 0) throw new Error('axe has judged nothing')
  return violations
}

function linesOf(violations: axe.Result[]): string[] {
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any }) => `${id} at ${target.join(' ')}${coloursOf(any[0]?.data)}`),
  )
}

/** Empty for rules that are about no colours. */
function coloursOf(data: { fgColor?: string; bgColor?: string } | null | undefined): string {
  return data?.fgColor ? `, ${data.fgColor} on ${data.bgColor}` : ''
}

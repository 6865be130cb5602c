// The looks in which a story is played: language, width and theme. Also judges what a page shows at both widths and in both themes,
// without opening it again for each.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import type { Credentials } from '#tests/seeds/installation.ts'
import { findViolations, type Theme } from './axe.ts'
import { expect, type Language } from './fixtures.ts'

export const NARROW = { width: 375, height: 800 }
export const WIDE = { width: 1280, height: 800 }

type LookName = `${Language} ${375 | 1280} ${Theme}`
/** `id` and `number` distinguish what several looks leave in one installation: `ru375`, 1 to 4. */
export type Look = {
  name: LookName
  id: string
  number: number
  language: Language
  width: 375 | 1280
  theme: Theme
}

/** Set by `npm run test:deep`. */
const IS_EVERY_LOOK = Boolean(process.env.EVERY_LOOK)
const PLACES = [
  ['ru', 375],
  ['ru', 1280],
  ['en', 375],
  ['en', 1280],
] as const

/**
 * The looks in which a story is played: its usual one, and with EVERY_LOOK=1 both languages at both widths, so that each language and each
 * width is seen in both themes.
 */
export function looksOf(usual: LookName, isEvery = IS_EVERY_LOOK): Look[] {
  const [language, width, theme] = usual.split(' ')
  const other = theme === 'dark' ? 'light' : 'dark'
  const looks = PLACES.map(([ownLanguage, ownWidth], at): Look => {
    const isAlike = (ownLanguage === language) === (String(ownWidth) === width)
    const ownTheme = (isAlike ? theme : other) as Theme
    const name: LookName = `${ownLanguage} ${ownWidth} ${ownTheme}`
    const id = `${ownLanguage}${ownWidth}`
    return { name, id, number: at + 1, language: ownLanguage, width: ownWidth, theme: ownTheme }
  })
  return isEvery ? looks : looks.filter(({ name }) => name === usual)
}

/** The looks in which the list of conversations stands next to the one that is open. */
export function isWide({ width }: Look): boolean {
  return width === WIDE.width
}

/** `person`: signed in without the screen for it. */
type ContextOptions = BrowserContextOptions & { baseURL: string; person?: Pick<Credentials, 'email' | 'password'> }

/** The screen of a look, without animations. */
export function screenOf({ width, theme }: Look) {
  return { viewport: { width, height: 800 }, colorScheme: theme, reducedMotion: 'reduce' } as const
}

/** A browser context in a look. Animations are off unless `reducedMotion` says otherwise. */
export async function openContext(
  browser: Browser,
  look: Look,
  { person, ...options }: ContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({ ...screenOf(look), ...options })
  await context.addInitScript((chosen) => localStorage.setItem('parley-language', chosen), look.language)
  if (person) await signInHere(context, options.baseURL, person)
  return context
}

/** The session is a cookie of the context. */
export async function signInHere(
  context: BrowserContext,
  baseURL: string,
  { email, password }: Pick<Credentials, 'email' | 'password'>,
): Promise<void> {
  const headers = { origin: new URL(baseURL).origin }
  const answer = await context.request.post(`${baseURL}/api/auth/sign-in/email`, { data: { email, password }, headers })
  expect(answer.status()).toBe(200)
}

/** `within`: selector, the whole page by default. `widths`: both by default. `during`: called between the widths, to keep transient elements visible. */
type Judging = {
  language: Language
  within?: string | undefined
  widths?: (typeof WIDE)[]
  during?: (() => Promise<unknown>) | undefined
}

/** Fails with the findings of axe, and if the page is wider than its window; the story goes on. */
export async function judgeLooks(page: Page, name: string, judging: Judging): Promise<void> {
  expect.soft(await findFaults(page, name, judging)).toEqual([])
}

/** Judges a page at both widths and comes back to that of the look. With SHOTS_DIR the page is left there as a picture, for people to look at. */
export async function judgeFrom(
  page: Page,
  name: string,
  { look, within }: { look: Look; within?: string | undefined },
): Promise<void> {
  const folder = process.env.SHOTS_DIR
  if (folder) await page.screenshot({ path: `${folder}/${name.replaceAll(' ', '-')}-${look.id}.png`, fullPage: true })
  await judgeLooks(page, name, { language: look.language, within })
  await page.setViewportSize(screenOf(look).viewport)
}

/** Leaves the page at the first of the widths. @returns one line for each fault */
export async function findFaults(
  page: Page,
  name: string,
  { language, within, widths = [WIDE, NARROW], during }: Judging,
): Promise<string[]> {
  const found: string[] = []
  for (const size of widths) {
    await page.setViewportSize(size)
    for (const theme of themesAt(language, size.width)) {
      const violations = await findViolations(page, { theme, within })
      found.push(...violations.map((each) => `${name}, ${theme} at ${size.width}: ${each}`))
    }
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    if (excess > 0) found.push(`${name} is ${excess} px too wide for ${size.width}`)
    await during?.()
  }
  await page.setViewportSize(widths[0] ?? WIDE)
  return found
}

/** A Latin square: each language and each width is judged in both themes, though not together. EVERY_LOOK=1 judges them together. */
function themesAt(language: Language, width: number): Theme[] {
  if (IS_EVERY_LOOK) return ['light', 'dark']
  return [(language === 'ru') === (width === WIDE.width) ? 'light' : 'dark']
}

// What every browser story begins with: the browser of the machine, the words of one language, an accessibility check.
import fs from 'node:fs'
import path from 'node:path'
import { type Browser, test as base, expect, type Page } from '@playwright/test'
import { launchBrowser } from '#tests/browser.ts'
import { findViolations } from './axe.ts'
import { type RawWords, watchRawWords } from './raw-words.ts'

export type Language = 'ru' | 'en'
type Words = { [key: string]: string | Words }

/** Every page of every story is watched for texts that are no words. */
export const test = base.extend<{ wordsOnly: undefined }, { browser: Browser; rawWords: RawWords }>({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures off this pattern
    async ({}, use) => {
      const browser = await launchBrowser()
      await use(browser)
      await browser.close()
    },
    { scope: 'worker' },
  ],
  rawWords: [async ({ browser }, use) => use(watchRawWords(browser)), { scope: 'worker', auto: true }],
  wordsOnly: [
    async ({ rawWords }, use) => {
      await use(undefined)
      expect(rawWords.take()).toEqual([])
    },
    { auto: true },
  ],
})
export { expect }

/** The words of the interface: `say('auth', 'signIn.submit')` is the text as the user reads it. */
export function wordsOf(language: Language) {
  return (namespace: string, key: string, values: Record<string, string | number> = {}): string => {
    const file = path.resolve(import.meta.dirname, `../../web/locales/${language}/${namespace}.json`)
    const found = key
      .split('.')
      .reduce<string | Words | undefined>(
        (at, part) => (typeof at === 'object' ? at[part] : undefined),
        JSON.parse(fs.readFileSync(file, 'utf8')),
      )
    if (typeof found !== 'string') throw new Error(`No text ${namespace}:${key} in ${language}`)
    return found.replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
      String(values[name] ?? (name === 'product' ? 'Parley' : '')),
    )
  }
}

/** Fails with the list of what axe finds against WCAG 2.2 AA on the page as it stands, or in the part of it that `within` selects. */
export async function expectAccessible(page: Page, name: string, within?: string): Promise<void> {
  expect((await findViolations(page, { within })).map((each) => `${name}: ${each}`)).toEqual([])
}

// Texts are there when a screen needs them, whichever of language and screen is known first.
import i18next from 'i18next'
import { expect, it } from 'vitest'
import { loadTexts, startI18n } from './i18n.ts'

it('texts that are asked for before the language is known are loaded in it', async () => {
  const loading = loadTexts('why')
  await startI18n('en')
  await loading
  expect(i18next.hasResourceBundle('en', 'why')).toBe(true)
})

// In component tests a text that there is not fails the test, as it would show on a screen without words.
import i18next from 'i18next'

let isAllowed = false
let isWatching = false

/** Has every text that is missing throw where it is drawn. Call before the language is known, for each file again. */
export function forbidMissingTexts(): void {
  isAllowed = false
  if (isWatching) return
  isWatching = true
  i18next.on('initialized', ({ parseMissingKeyHandler: shown }) => {
    i18next.options.parseMissingKeyHandler = (key, defaultValue, options) => {
      if (defaultValue === undefined && !isAllowed) throw new Error(`No text for ${key}`)
      return shown ? shown(key, defaultValue, options) : key
    }
  })
}

/** For what only a newer server knows: its words are missing, and something else is shown. */
export function allowMissingTexts(): void {
  isAllowed = true
}

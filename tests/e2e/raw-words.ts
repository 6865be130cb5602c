// Watches what every page of a story shows: the key of a text, a code, a value that was not filled in, or the words of a library are no words
// for a reader, and fail the story.
import fs from 'node:fs'
import path from 'node:path'
import type { Browser, BrowserContext } from '@playwright/test'
import { ERROR_CODES } from '#shared/errors.ts'

const MARK = 'raw words: '
const RUSSIAN = path.resolve(import.meta.dirname, '../../web/locales/ru')

/** By which a file or a domain is no key, although it begins with a word that keys begin with. */
const ENDINGS = 'md|txt|html?|json|csv|pdf|docx|xlsx|png|jpg|ogg|com|ru|example'

/** What was seen since it was last asked for. */
export type RawWords = { take(): string[] }

/** Watches every page that the browser opens from now on. */
export function watchRawWords(browser: Browser): RawWords {
  let seen: string[] = []
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    await watch(context, (text) => seen.push(text))
    return context
  }
  return {
    take() {
      const taken = [...new Set(seen)]
      seen = []
      return taken
    },
  }
}

async function watch(context: BrowserContext, report: (text: string) => void): Promise<void> {
  await context.addInitScript(reportRawWords, { mark: MARK, patterns: rawPatterns() })
  context.on('console', (message) => {
    const text = message.text()
    if (text.startsWith(MARK)) report(`${text.slice(MARK.length)} at ${message.page()?.url()}`)
  })
}

/** As sources of regular expressions, for a whole text without spaces around it. */
function rawPatterns(): string[] {
  const files = fs.readdirSync(RUSSIAN)
  const tops = files.flatMap((file) => [
    path.basename(file, '.json'),
    ...Object.keys(JSON.parse(fs.readFileSync(path.join(RUSSIAN, file), 'utf8'))),
  ])
  const codes = Object.keys(ERROR_CODES).filter((code) => code.includes('_'))
  return [
    // The key of a text, which no file or domain is: `error.Invalid input`.
    `^(?:${[...new Set(tops)].join('|')})(?:[.:](?!(?:${ENDINGS})$)[\\w-][\\w -]*)+$`,
    `^(?:${codes.join('|')})$`,
    '\\{\\{\\s*[a-zA-Z]',
    '\\b(?:undefined|NaN)\\b|\\[object \\w+\\]',
    '^Invalid (?:input|option|string)|^Too (?:small|big): ',
  ]
}

/** Runs in each page before its own scripts, which it leaves alone. */
function reportRawWords({ mark, patterns }: { mark: string; patterns: string[] }): void {
  const raw = new RegExp(patterns.join('|'))
  const isOurs = () => document.getElementById('root') !== null
  /** Where machines are quoted, and where people write. */
  const QUOTED = 'code, pre, kbd, textarea, script, style, [contenteditable]'
  const WORDED = ['aria-label', 'title', 'placeholder', 'alt']
  const judge = (text: string | null, element: Element | null) => {
    const shown = text?.trim() ?? ''
    if (shown !== '' && raw.test(shown) && isOurs() && !element?.closest(QUOTED))
      console.error(`${mark}${shown.slice(0, 200)}`)
  }
  const look = (node: Node) => {
    if (node instanceof Text) judge(node.data, node.parentElement)
    if (!(node instanceof Element)) return
    for (const name of WORDED) judge(node.getAttribute(name), node)
    for (const child of node.childNodes) look(child)
  }
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes, attributeName } of changes) {
      if (type === 'attributes' && target instanceof Element) judge(target.getAttribute(attributeName ?? ''), target)
      else if (type === 'characterData') look(target)
      else for (const node of addedNodes) look(node)
    }
  }).observe(document, { subtree: true, childList: true, characterData: true, attributeFilter: WORDED })
}

// A text as MAX understands it: plain, or the HTML of its stretches. @source dev.max.ru/docs-api (formatting of text)
import { htmlOf } from '#server/platform/lib/text/formatted-html.ts'
import { formatMarkdown } from '#server/platform/lib/text/formatted-text.ts'
import { MAX_TEXT_MAX } from '#shared/limits.ts'

/** The text of a message, and its format where it is not plain. */
export type MaxText = { text: string; format?: 'html' }

/** Where the tags would make a text longer than one message holds, it is sent without them. */
export function maxText(source: string, isPlain: boolean): MaxText {
  if (isPlain) return { text: source }
  const formatted = formatMarkdown(source)
  const html = formatted.entities.length > 0 ? htmlOf(formatted) : null
  if (html !== null && html.length <= MAX_TEXT_MAX) return { text: html, format: 'html' }
  return { text: formatted.text.length > MAX_TEXT_MAX ? source : formatted.text }
}

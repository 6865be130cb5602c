// A text with its stretches as the HTML that MAX understands. @source dev.max.ru/docs-api (formatting of text)
import { type Formatted, formatMarkdown, type Stretch } from '#server/adapters/formatted-text.ts'
import { MAX_TEXT_MAX } from '#shared/limits.ts'

/** What is put into a message: a text, and how it is to be read where it is not plain. */
export type MaxText = { text: string; format?: 'html' }

/** Where the signs of the formatting would make a text longer than one message holds, it goes as it was written. */
export function maxText(source: string, isPlain: boolean): MaxText {
  if (isPlain) return { text: source }
  const formatted = formatMarkdown(source)
  if (formatted.entities.length === 0) return { text: formatted.text.length > MAX_TEXT_MAX ? source : formatted.text }
  const text = htmlOf(formatted)
  return text.length > MAX_TEXT_MAX ? { text: source } : { text, format: 'html' }
}

/** Each stretch lies within another or beside it, and what holds others comes first. */
function htmlOf({ text, entities }: Formatted): string {
  const open: Stretch[] = []
  let html = ''
  let at = 0
  const writeTo = (end: number) => {
    for (let last = open.at(-1); last && last.offset + last.length <= end; last = open.at(-1)) {
      const closesAt = last.offset + last.length
      html += escaped(text.slice(at, closesAt)) + tagsOf(last).close
      at = closesAt
      open.pop()
    }
    html += escaped(text.slice(at, end))
    at = end
  }
  for (const stretch of entities) {
    writeTo(stretch.offset)
    html += tagsOf(stretch).open
    open.push(stretch)
  }
  writeTo(text.length)
  return html
}

const TAGS = { bold: 'b', italic: 'i', strikethrough: 's', code: 'code', blockquote: 'blockquote', pre: 'pre' } as const

function tagsOf(stretch: Stretch): { open: string; close: string } {
  if (stretch.type === 'text_link') return { open: `<a href="${escaped(stretch.url)}">`, close: '</a>' }
  const tag = TAGS[stretch.type]
  return { open: `<${tag}>`, close: `</${tag}>` }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

// A text with its stretches as HTML, of the few tags that messengers know. @source dev.max.ru/docs-api (formatting of text)
import type { Formatted, Stretch } from './formatted-text.ts'

/** Each stretch lies within another or apart from it, and what holds others comes first. */
export function htmlOf({ text, entities }: Formatted): string {
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

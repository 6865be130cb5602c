// HTML and XML that call themselves a workbook, before the library reads them: it keeps neither struck text nor hidden rows of them.
import { STRUCK } from './struck-text.ts'

const STRUCK_TAGS = /<(?:html:)?(del|s|strike)(?:\s[^<>]*)?>([\s\S]*?)<\/(?:html:)?\1\s*>/gi
const STRUCK_LOOK =
  /<(span|font|td|p|div)\s(?=[^<>]*text-decoration[^;"'<>]*:[^;"'<>]*line-through)[^<>]*>([\s\S]*?)(?=<\/\1\s*>)/gi
/** A cell whose end tag is left out, which browsers allow: it ends where the next one or its row does. */
const OPEN_CELL = /(<(t[dh])\b[^<>]*>)((?:(?!<\/?t[dhr]\b|<\/?table\b)[\s\S])*)(?=<t[dhr]\b|<\/tr|<\/?table|$)/gi
const HIDDEN_ROW = /^<tr\b[^<>]*(?:\shidden\b|display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i

/** The same text with marks around what is struck through, and with the end of every cell. */
export function markHtml(text: string): string {
  const closed = text.replace(OPEN_CELL, '$1$3</$2>')
  const inTags = closed.replace(STRUCK_TAGS, `${STRUCK.open}$2${STRUCK.close}`)
  const inLooks = inTags.replace(STRUCK_LOOK, (all, _, inner: string) =>
    /^[\s\uFDD0\uFDD1]*$|\uFDD0/.test(inner) ? all : all.slice(0, all.length - inner.length) + struckInner(inner),
  )
  return markStyles(inLooks)
}

/** A cell's other tags stay outside of the marks: the library takes those at the beginning of a cell away. */
function struckInner(inner: string): string {
  const [tags = ''] = /^(?:\s*<[^<>]*>)*/.exec(inner) ?? []
  return tags + STRUCK.open + inner.slice(tags.length) + STRUCK.close
}

/** Rows that a browser does not show, by table, from 0. */
export function hiddenHtmlRows(text: string): Set<number>[] {
  const tables = text.replace(/<!--[\s\S]*?-->/g, '').match(/<table\b[\s\S]*?(?:<\/table|$)/gi) ?? []
  return tables.map((table) => {
    const rows = table.match(/<tr(?=[\s>])[^<>]*>/gi) ?? []
    return new Set(rows.flatMap((row, at) => (HIDDEN_ROW.test(row) ? [at] : [])))
  })
}

/** Cells of an XML workbook whose style has a font that is struck through. */
function markStyles(text: string): string {
  const styles = text.match(/<(?:ss:)?Style\s[\s\S]*?<\/(?:ss:)?Style>/g) ?? []
  const struck = new Set(
    styles.flatMap((style) =>
      /StrikeThrough="(?:1|true)"/.test(style) ? (/\bss:ID="([^"]*)"/.exec(style)?.slice(1) ?? []) : [],
    ),
  )
  if (struck.size === 0) return text
  return text.replace(
    /(<(?:ss:)?Cell\s[^>]*?StyleID="([^"]*)"[^>]*>)\s*<((?:ss:)?Data)\s[^>]*>([\s\S]*?)<\/\3>/g,
    (all, cell: string, style: string, tag: string, value: string) =>
      struck.has(style) && !value.includes(STRUCK.open)
        ? `${cell}<${tag} ss:Type="String">${STRUCK.open}${value}${STRUCK.close}</${tag}>`
        : all,
  )
}

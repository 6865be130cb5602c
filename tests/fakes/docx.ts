// Makes small DOCX files for tests from the XML of their body.
import { strToU8, zipSync } from 'fflate'

const NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

export type DocxParts = { body: string; styles?: string; footnotes?: string; numbering?: string }

/** A complete DOCX file. */
export function makeDocx({ body, styles = '', footnotes = '', numbering = '' }: DocxParts): Uint8Array {
  return zipSync({
    '[Content_Types].xml': strToU8('<Types/>'),
    'word/document.xml': strToU8(`<w:document ${NAMESPACE}><w:body>${body}</w:body></w:document>`),
    'word/styles.xml': strToU8(`<w:styles ${NAMESPACE}>${styles}</w:styles>`),
    'word/numbering.xml': strToU8(`<w:numbering ${NAMESPACE}>${numbering}</w:numbering>`),
    'word/footnotes.xml': strToU8(`<w:footnotes ${NAMESPACE}>${footnotes}</w:footnotes>`),
  })
}

/** One paragraph; `properties` and `runProperties` are the XML inside `w:pPr` and `w:rPr`. */
export function paragraph(text: string, properties = '', runProperties = ''): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:rPr>${runProperties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
}

/** A table of plain cells. */
export function table(rows: string[][]): string {
  const cells = (row: string[]) => row.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')
  return `<w:tbl>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join('')}</w:tbl>`
}

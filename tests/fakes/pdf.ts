// Makes small PDF files for tests: pages of placed text, scans, encrypted and broken ones.

export type PdfText = { text: string; x?: number; y: number; size?: number }
/** `links`: addresses, each behind the text at its height. */
export type PdfPage = { texts?: PdfText[]; hasImage?: boolean; links?: { url: string; y: number }[] }
export type PdfOptions = {
  /** How a character becomes a glyph number. The default is its code, which a table back to Unicode explains. */
  glyphOf?: (code: number) => number
  /** Leave the table out: readers then see glyph numbers. */
  isUnexplained?: boolean
  isEncrypted?: boolean
}

/** A complete PDF file. Any Unicode text of the basic plane. */
export function makePdf(pages: PdfPage[], options: PdfOptions = {}): Buffer {
  const { glyphOf = (code: number) => code, isUnexplained = false, isEncrypted = false } = options
  const objects: string[] = []
  const add = (body: string) => `${objects.push(body)} 0 R`
  const pagesRef = `${objects.push('')} 0 R`
  const characters = new Set(pages.flatMap((page) => (page.texts ?? []).flatMap(({ text }) => Array.from(text))))
  const toUnicode = isUnexplained ? '' : `/ToUnicode ${add(stream(unicodeTable(characters, glyphOf)))}`
  const descendant = add(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Test /DW 500 /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>
     /FontDescriptor << /Type /FontDescriptor /FontName /Test /Flags 4 /FontBBox [0 0 1000 1000] /Ascent 800 /Descent -200 /CapHeight 700 /ItalicAngle 0 /StemV 80 >> >>`,
  )
  const font = add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /Test /Encoding /Identity-H /DescendantFonts [${descendant}] ${toUnicode} >>`,
  )
  const image = add(
    `<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>\nstream\nA\nendstream`,
  )
  const kids = pages.map((page) => {
    const content = add(stream(pageContent(page, glyphOf)))
    const links = (page.links ?? []).map(({ url, y }) =>
      add(`<< /Type /Annot /Subtype /Link /Rect [50 ${y - 3} 500 ${y + 12}] /A << /S /URI /URI (${url}) >> >>`),
    )
    return add(
      `<< /Type /Page /Parent ${pagesRef} /Annots [${links.join(' ')}] /MediaBox [0 0 600 800] /Contents ${content} /Resources << /Font << /F ${font} >> /XObject << /I ${image} >> >> >>`,
    )
  })
  objects[0] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`
  const catalog = add(`<< /Type /Catalog /Pages ${pagesRef} >>`)
  const encryption = isEncrypted
    ? `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'11'.repeat(32)}> /U <${'22'.repeat(32)}> >>`
    : ''
  return assemble(objects, `/Root ${catalog} ${encryption} /ID [<00> <00>]`)
}

/** Pages of running text, about 45 lines each. */
export function makeTextPdf(paragraphs: string[]): Buffer {
  const lines = paragraphs.flatMap((paragraph) => [...(paragraph.match(/.{1,80}(?:\s|$)/g) ?? []), ''])
  const pages: PdfPage[] = []
  for (let at = 0; at < lines.length; at += 45) {
    const onPage = lines.slice(at, at + 45)
    pages.push({ texts: onPage.flatMap((text, line) => (text ? [{ text: text.trim(), y: 750 - line * 15 }] : [])) })
  }
  return makePdf(pages)
}

function pageContent({ texts = [], hasImage = false }: PdfPage, glyphOf: (code: number) => number): string {
  const shown = texts.map(({ text, x = 50, y, size = 12 }) => {
    const glyphs = Array.from(text, (character) => hex(glyphOf(character.codePointAt(0) ?? 0))).join('')
    return `BT /F ${size} Tf ${x} ${y} Td <${glyphs}> Tj ET`
  })
  if (hasImage) shown.push('q 500 0 0 700 50 50 cm /I Do Q')
  return shown.join('\n')
}

function unicodeTable(characters: Set<string>, glyphOf: (code: number) => number): string {
  const rows = Array.from(characters, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `1 beginbfchar <${hex(glyphOf(code))}> <${hex(code)}> endbfchar`
  })
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
${rows.join('\n')}
endcmap end end`
}

function stream(content: string): string {
  return `<< /Length ${Buffer.byteLength(content)} >>\nstream\n${content}\nendstream`
}

function assemble(objects: string[], trailer: string): Buffer {
  let file = '%PDF-1.7\n'
  const offsets = objects.map((body, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${body}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`
  file += `trailer\n<< /Size ${objects.length + 1} ${trailer} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

function hex(code: number): string {
  return code.toString(16).padStart(4, '0')
}

// Slides, OpenDocument files and RTF: their text, without what the author has hidden, old values marked as such.
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { DocumentFormat } from '#shared/knowledge/knowledge.ts'
import { PARSE_LIMITS } from '../limits.ts'
import { parse } from '../parse.ts'

const read = async (bytes: Uint8Array, format: DocumentFormat, includeHidden = false) => {
  const { chunks, warnings } = await parse(bytes, format, PARSE_LIMITS, { includeHidden })
  return { texts: chunks.map(({ headingPath, body }) => [...headingPath, body].join(' / ')), warnings }
}
const zip = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))

const run = (text: string, properties = '') => `<a:r><a:rPr ${properties}/><a:t>${text}</a:t></a:r>`
const shape = (type: string, ...runs: string[]) =>
  `<p:sp><p:nvPr><p:ph type="${type}"/></p:nvPr><p:txBody>${runs.map((each) => `<a:p>${each}</a:p>`).join('')}</p:txBody></p:sp>`
const relation = (id: string, target: string) => `<Relationship Id="${id}" Target="${target}"/>`

const slides = () => {
  const cell = (text: string) => `<a:tc><a:txBody><a:p>${run(text)}</a:p></a:txBody></a:tc>`
  const table = `<a:tbl><a:tr>${cell('Plan')}${cell('Price')}</a:tr><a:tr>${cell('Basic')}${cell('500')}</a:tr></a:tbl>`
  return zip({
    '[Content_Types].xml': '<Types/>',
    'ppt/presentation.xml':
      '<p:presentation><p:sldId r:id="r2"/><p:sldId r:id="r1"/><p:sldId r:id="r3"/></p:presentation>',
    'ppt/_rels/presentation.xml.rels': `<R>${relation('r1', 'slides/slide1.xml')}${relation('r2', 'slides/slide2.xml')}${relation('r3', '/ppt/slides/slide3.xml')}</R>`,
    'ppt/slides/slide1.xml': `<p:sld>${shape('title', run('Prices'))}${shape('body', run('Tea ') + run('1 0', 'strike="sngStrike"') + run('00', 'strike="sngStrike"') + run(' 700'))}${table}${shape('sldNum', run('2'))}</p:sld>`,
    'ppt/slides/slide2.xml': `<p:sld>${shape('body', run('Welcome'), run('Open 9–18'))}</p:sld>`,
    'ppt/slides/_rels/slide2.xml.rels': `<R>${relation('n', '../notesSlides/notesSlide1.xml')}</R>`,
    'ppt/notesSlides/notesSlide1.xml': `<p:notes>${shape('body', run('Do not tell the margin'))}</p:notes>`,
    'ppt/slides/slide3.xml': `<p:sld show="0">${shape('title', run('Internal'))}${shape('body', run('Margin 40%'))}</p:sld>`,
  })
}

describe('PPTX', () => {
  it('is read slide by slide in their order, without hidden slides, notes and numbers of slides', async () => {
    expect(await read(slides(), 'pptx')).toEqual({
      texts: ['Welcome / Open 9–18', 'Prices / Tea (old price: 1 000) 700', 'Prices / Plan | Price\nBasic | 500'],
      warnings: [{ kind: 'hidden', counts: { slides: 1, notes: 1 }, isIncluded: false }],
    })
  })

  it('keeps the targets of links', async () => {
    const linked = '<a:r><a:rPr><a:hlinkClick r:id="l"/></a:rPr><a:t>Write</a:t></a:r>'
    const file = zip({
      'ppt/presentation.xml': '<p><p:sldId r:id="r"/></p>',
      'ppt/_rels/presentation.xml.rels': `<R>${relation('r', 'slides/slide1.xml')}</R>`,
      'ppt/slides/slide1.xml': `<p:sld>${shape('title', run('Us'))}${shape('body', linked)}</p:sld>`,
      'ppt/slides/_rels/slide1.xml.rels': `<R>${relation('l', 'https://t.me/shop')}</R>`,
    })
    expect((await read(file, 'pptx')).texts).toEqual(['Us / Write (https://t.me/shop)'])
    const button = `<p:sp><p:nvSpPr><p:cNvPr id="2"><a:hlinkClick r:id="l"/></p:cNvPr></p:nvSpPr><p:txBody><a:p>${run('Order')}</a:p></p:txBody></p:sp>`
    const withButton = zip({
      'ppt/presentation.xml': '<p><p:sldId r:id="r"/></p>',
      'ppt/_rels/presentation.xml.rels': `<R>${relation('r', 'slides/slide1.xml')}</R>`,
      'ppt/slides/slide1.xml': `<p:sld>${shape('title', run('Us'))}${button}${shape('body', run('Daily'))}</p:sld>`,
      'ppt/slides/_rels/slide1.xml.rels': `<R>${relation('l', 'https://t.me/shop')}</R>`,
    })
    expect((await read(withButton, 'pptx')).texts).toEqual(['Us / Order (https://t.me/shop)\nDaily'])
  })

  it('gives diagrams, and nothing twice; a shape that the author has hidden is left out', async () => {
    const box = `<p:sp><p:txBody><a:p>${run('Daily')}</a:p></p:txBody></p:sp>`
    const secret = `<p:sp><p:nvSpPr><p:cNvPr id="3" hidden="1"/></p:nvSpPr><p:txBody><a:p>${run('Margin 40%')}</a:p></p:txBody></p:sp>`
    const point = (text: string) => `<dgm:pt><dgm:t><a:p>${run(text)}</a:p></dgm:t></dgm:pt>`
    const file = zip({
      'ppt/presentation.xml': '<p><p:sldId r:id="r"/></p>',
      'ppt/_rels/presentation.xml.rels': `<R>${relation('r', 'slides/slide1.xml')}</R>`,
      'ppt/slides/slide1.xml': `<p:sld>${shape('title', run('Us'))}<mc:AlternateContent><mc:Choice>${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent>${secret}</p:sld>`,
      'ppt/slides/_rels/slide1.xml.rels': `<R>${relation('d', '../diagrams/data1.xml')}</R>`,
      'ppt/diagrams/data1.xml': `<dgm:dataModel>${point('Order')}${point('Pay 50%')}<dgm:pt/></dgm:dataModel>`,
    })
    expect(await read(file, 'pptx')).toEqual({
      texts: ['Us / Daily\nOrder\nPay 50%'],
      warnings: [{ kind: 'hidden', counts: { texts: 1 }, isIncluded: false }],
    })
    expect((await read(file, 'pptx', true)).texts).toEqual(['Us / Daily\nMargin 40%\nOrder\nPay 50%'])
  })

  it('is read with what is hidden where that is asked for', async () => {
    const { texts, warnings } = await read(slides(), 'pptx', true)
    expect(texts.join('\n')).toContain('Do not tell the margin')
    expect(texts).toContain('Internal / Margin 40%')
    expect(warnings).toEqual([{ kind: 'hidden', counts: { slides: 1, notes: 1 }, isIncluded: true }])
  })
})

describe('OpenDocument', () => {
  const styles = `<office:automatic-styles><style:style style:name="S"><style:text-properties style:text-line-through-style="solid"/></style:style>
    <style:style style:name="H"><style:text-properties text:display="none"/></style:style>
    <style:style style:name="T"><style:table-properties table:display="false"/></style:style></office:automatic-styles>`
  const cell = (text: string, attributes = '') =>
    `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`
  const row = (cells: string, attributes = '') => `<table:table-row ${attributes}>${cells}</table:table-row>`

  it('gives the text of ODT without deletions, comments and hidden text', async () => {
    const body = `<text:tracked-changes><text:changed-region><text:deletion><text:p>Gone</text:p></text:deletion></text:changed-region></text:tracked-changes>
      <text:h text:outline-level="1">Prices</text:h><text:p><text:a xlink:href="tel:123">Call</text:a></text:p><text:p>Tea<text:s/><text:span text:style-name="S">1 000</text:span> 700<office:annotation><text:p>margin</text:p></office:annotation></text:p>
      <text:p text:style-name="H">Inside</text:p><text:list><text:list-item><text:p>One</text:p></text:list-item></text:list>
      <table:table>${row(cell('Plan') + cell('Price'))}${row(cell('Basic') + cell('500'))}</table:table>`
    const file = zip({
      'content.xml': `<office:document-content>${styles}<office:text>${body}</office:text></office:document-content>`,
    })
    expect(await read(file, 'odt')).toEqual({
      texts: ['Prices / Call (123)\nTea (old price: 1 000) 700\nOne', 'Prices / Plan | Price\nBasic | 500'],
      warnings: [{ kind: 'hidden', counts: { comments: 1, texts: 1, deletions: 1 }, isIncluded: false }],
    })
    expect((await read(file, 'odt', true)).texts.join('\n')).toMatch(/margin[\s\S]*Inside/)
  })

  it('gives what the head and the foot of ODT pages say of how to reach the business', async () => {
    const master =
      '<style:master-page><style:header><text:p>Tel. +7 701 555 00 11</text:p></style:header><style:footer><text:p>Page 1</text:p></style:footer></style:master-page>'
    const file = zip({
      'content.xml':
        '<office:document-content><office:text><text:p>Prices</text:p></office:text></office:document-content>',
      'styles.xml': `<office:document-styles><office:master-styles>${master}</office:master-styles></office:document-styles>`,
    })
    expect((await read(file, 'odt')).texts).toEqual(['Tel. +7 701 555 00 11\nPrices'])
  })

  it('gives the sheets of ODS as they are shown, without hidden rows, columns and sheets', async () => {
    const columns =
      '<table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>'
    const sheet = `<table:table table:name="Prices">${columns}${row(cell('Item') + cell('Price') + cell('Cost'))}
      ${row(cell('Tea') + cell('500,00 ₸', 'office:value="500"') + cell('300'))}${row(cell('Old') + cell('1') + cell('1'), 'table:visibility="filter"')}
      ${row('<table:table-cell table:number-columns-repeated="1024"/>', 'table:number-rows-repeated="3"')}
      ${row(cell('Mug') + cell('1.23E+19', 'office:value="12345678901234567890"') + cell('1'))}
      ${row('<table:table-cell table:number-columns-repeated="1024"/>', 'table:number-rows-repeated="1048000"')}</table:table>`
    const secret = `<table:table table:name="calc" table:style-name="T">${row(cell('Margin') + cell('40%'))}</table:table>`
    const file = zip({
      'content.xml': `<office:document-content>${styles}<office:spreadsheet>${sheet}${secret}</office:spreadsheet></office:document-content>`,
    })
    expect(await read(file, 'ods')).toEqual({
      texts: ['Item | Price\nTea | 500,00 ₸\nMug | 12345678901234567890'],
      warnings: [{ kind: 'hidden', counts: { rows: 1, columns: 1, sheets: 1 }, isIncluded: false }],
    })
  })

  it('gives the text of ODT without hidden sections, and the rows of ODS that are only folded up', async () => {
    const section = '<text:section text:name="a" text:display="none"><text:p>Margin 40%</text:p></text:section>'
    const odt = zip({
      'content.xml': `<office:document-content><office:text><text:p>Tea 500</text:p>${section}<text:section text:name="b"><text:p>Mug 900</text:p></text:section></office:text></office:document-content>`,
    })
    expect(await read(odt, 'odt')).toEqual({
      texts: ['Tea 500\nMug 900'],
      warnings: [{ kind: 'hidden', counts: { texts: 1 }, isIncluded: false }],
    })
    const folded = `<table:table-row-group table:display="false">${row(cell('Green') + cell('500'), 'table:visibility="collapse"')}</table:table-row-group>`
    const ods = zip({
      'content.xml': `<office:document-content><office:spreadsheet><table:table table:name="A">${row(cell('Item') + cell('Price'))}${row(cell('Tea') + cell('1'))}${folded}</table:table></office:spreadsheet></office:document-content>`,
    })
    expect(await read(ods, 'ods')).toEqual({ texts: ['Item | Price\nTea | 1\nGreen | 500'], warnings: [] })
  })

  it('says what a cell merged downwards holds in every row that it spans, a title once', async () => {
    const covered = '<table:covered-table-cell/>'
    const title = row(cell('Autumn', 'table:number-columns-spanned="2" table:number-rows-spanned="2"') + covered)
    const sheet = `<table:table table:name="Prices">${title}${row(covered + covered)}${row(cell('Kind') + cell('Item'))}
      ${row(cell('Tea', 'table:number-rows-spanned="3"') + cell('Green'))}${row(covered + cell('Black'))}${row(`${covered}<table:table-cell/>`)}
      ${row(cell('Mug') + cell('White'))}</table:table>`
    const file = zip({
      'content.xml': `<office:document-content>${styles}<office:spreadsheet>${sheet}</office:spreadsheet></office:document-content>`,
    })
    expect((await read(file, 'ods')).texts.join('\n')).toContain('Kind | Item\nTea | Green\nTea | Black\nMug | White')
  })

  it('is refused with the true reason', async () => {
    await expect(read(zip({ 'content.xml': '<office:spreadsheet/>' }), 'odt')).rejects.toMatchObject({
      reason: 'type_mismatch',
    })
    await expect(read(zip({ 'x.txt': 'x' }), 'odt')).rejects.toMatchObject({ reason: 'damaged' })
    const locked = zip({ 'content.xml': 'x', 'META-INF/manifest.xml': '<manifest:encryption-data/>' })
    await expect(read(locked, 'odt')).rejects.toMatchObject({ reason: 'password_protected' })
  })
})

describe('RTF', () => {
  const rtf = (body: string) =>
    Buffer.from(
      `{\\rtf1\\ansi\\ansicpg1251{\\fonttbl{\\f0\\fcharset204 Arial;}{\\f1\\fcharset0 Times;}}{\\*\\generator Word;}${body}}`,
      'latin1',
    )

  it('gives its text in any of its spellings, without hidden text, deletions and comments', async () => {
    const body = `\\f0\\'cc\\'e8\\'f0 \\u1063?\\u1072?\\u1081? {\\strike 1 000} 700\\par {\\v Inside}{\\deleted Gone}{\\*\\annotation note}
{\\outlinelevel0 Prices\\par}\\trowd\\intbl Plan\\cell Price\\cell\\row\\trowd\\intbl Basic\\cell 500\\cell\\row\\pard End\\emdash\\{1\\}\\par`
    expect(await read(rtf(body), 'rtf')).toMatchObject({
      texts: ['Мир Чай (старая цена: 1 000) 700', 'Prices / Plan | Price\nBasic | 500', 'Prices / End—{1}'],
      warnings: [{ kind: 'hidden', counts: { texts: 1, deletions: 1, comments: 1 }, isIncluded: false }],
    })
  })

  it.each([
    ['an escape each', (byte: number) => `\\'${byte.toString(16)}`],
    ['bytes as they are', (byte: number) => String.fromCharCode(byte)],
  ])('is read as Russian where it calls itself Western: %s', async (_, written) => {
    const russian = Array.from('Доставка по городу стоит 500 тенге', (letter) =>
      /[А-я]/.test(letter) ? written(letter.charCodeAt(0) - 0x410 + 0xc0) : letter,
    ).join('')
    const file = `{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset0 Times;}}\\f0 ${russian}\\par\\f1 ${russian}\\par}`
    const texts = ['Доставка по городу стоит 500 тенге\nДоставка по городу стоит 500 тенге']
    expect((await read(Buffer.from(file, 'latin1'), 'rtf')).texts).toEqual(texts)
  })

  it('is read as Western where it is', async () => {
    const file = `{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}\\f0 Caf\\'e9 cr\\'e8me, 3 \\'80, d\\'e9j\\'e0 pr\\'eat\\par}`
    expect((await read(Buffer.from(file, 'latin1'), 'rtf')).texts).toEqual(['Café crème, 3 €, déjà prêt'])
  })

  it.each(['', '{\\shprslt{\\dptxbxtext\\pard Sale 20%\\par}}'])(
    'gives the text of boxes once, with the result %j',
    async (result) => {
      const box = `{\\shp{\\*\\shpinst\\shpleft0{\\sp{\\sn shapeType}{\\sv 202}}{\\shptxt\\pard Sale 20%\\par}}${result}}`
      expect((await read(rtf(`Menu\\par ${box}Daily\\par`), 'rtf')).texts).toEqual(['Menu\nSale 20%\nDaily'])
    },
  )

  it('keeps the targets of links, in paragraphs and cells', async () => {
    const link = (target: string, text: string) =>
      `{\\field{\\*\\fldinst{\\f1 HYPERLINK "${target}" \\\\o "hint"}}{\\fldrslt{\\ul ${text}}}}`
    const body = `Call ${link('tel:+77010000001', 'us')} or ${link('https://wa.me/77010000001', 'write')} today, ${link('https://shop.kz', 'shop.kz')}\\par
\\trowd\\intbl Menu\\cell ${link('https://shop.kz/menu.pdf', 'open')}\\cell\\row\\pard Page {\\field{\\*\\fldinst PAGE}{\\fldrslt 3}}\\par`
    expect((await read(rtf(body), 'rtf')).texts.join('\n')).toBe(
      'Call us (+77010000001) or write (https://wa.me/77010000001) today, shop.kz\nMenu | open (https://shop.kz/menu.pdf)\nPage 3',
    )
  })
})

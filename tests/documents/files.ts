// Files as offices, accounting programs and people write them, from the facts of a business.
import { utils, write } from '@e965/xlsx'
import { strToU8, zipSync } from 'fflate'
import type { DocumentFormat } from '#shared/knowledge/knowledge.ts'
import { makeDocx, paragraph } from '#tests/fakes/docx.ts'
import { makePdf } from '#tests/fakes/pdf.ts'
import type { Business, Item } from './businesses.ts'
import { PAGES } from './pages.ts'

export type MadeFile = { format: DocumentFormat; bytes: Uint8Array }
type Make = (business: Business) => MadeFile

const text = (format: DocumentFormat, content: string): MadeFile => ({ format, bytes: Buffer.from(content) })
const zip = (format: DocumentFormat, parts: Record<string, string>): MadeFile => ({
  format,
  bytes: zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)]))),
})
const contacts = ({ words, phone, email, hours }: Business) => `${words.contacts}: ${phone}, ${email}, ${hours}`
const now = ({ name, price }: Item) => `${name} — ${price} ₸`
const questions = ({ faq }: Business) => faq.flatMap(({ question, answer }) => [question, answer])

/** In a single-byte encoding, found by asking the decoder about every byte. */
function encoded(content: string, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding)
  const byteOf = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]))
  return Uint8Array.from(Array.from(content, (letter) => byteOf.get(letter) ?? 45))
}

const memo: Make = (business) =>
  text(
    'txt',
    [business.name, '', ...business.items.map(now), '', ...questions(business), '', contacts(business)].join('\r\n'),
  )

/** Kazakh has no single-byte encoding that is in use. */
const oldMemo: Make = (business) => {
  const content = Buffer.from(memo(business).bytes).toString().replaceAll('₸', 'T')
  return business.language === 'ru' ? { format: 'txt', bytes: encoded(content, 'windows-1251') } : text('txt', content)
}

const wideMemo: Make = (business) => ({
  format: 'txt',
  bytes: Buffer.from(Buffer.from(memo(business).bytes).toString(), 'utf16le'),
})

const markdown: Make = (business) => {
  const rows = business.items.map(({ name, price, old }) => `| ${name} | ${old ? `~~${old}~~ ` : ''}${price} |`)
  const faq = business.faq.map(({ question, answer }) => `### ${question}\n\n${answer}\n`)
  return text(
    'md',
    `# ${business.name}\n\n<!-- ${business.secret} -->\n\n| ${business.words.item} | ${business.words.price} |\n|---|---|\n${rows.join('\n')}\n\n## ${business.words.questions}\n\n${faq.join('\n')}\n${contacts(business)}\n`,
  )
}

const excelCsv: Make = (business) => {
  const rows = business.items.map(({ name, price }) => `${name};${price},00;00${price}`)
  return text('csv', `\uFEFFsep=;\r\n${business.words.item};${business.words.price};ID\r\n${rows.join('\r\n')}\r\n`)
}

const accountingCsv: Make = (business) => {
  const rows = business.items.map(({ name, price }) => `"${name}";"${price}";"4600000000${price}12345"`)
  const content = `"${business.words.item}";"${business.words.price}";"EAN"\r\n${rows.join('\r\n')}\r\n`
  return business.language === 'ru' ? { format: 'csv', bytes: encoded(content, 'windows-1251') } : text('csv', content)
}

const json: Make = (business) => {
  const items = business.items.map(
    ({ name, price }) => `{"id": 90071992547409${price}, "name": ${JSON.stringify(name)}, "price": ${price}.50}`,
  )
  return text('json', `{"items": [${items.join(', ')}], "faq": ${JSON.stringify(business.faq)}}`)
}

function workbook(business: Business, bookType: 'xlsx' | 'biff8'): Uint8Array {
  const { words, items, secret } = business
  const sheet = utils.aoa_to_sheet([
    [words.item, words.price, 'X'],
    ...items.map(({ name, price }) => [name, price, secret]),
    ...(bookType === 'xlsx' ? [[secret, 1, secret]] : []),
  ]) // no hidden row: the library cannot write one into an old file
  sheet['!cols'] = [{}, {}, { hidden: true }]
  if (bookType === 'xlsx') sheet['!rows'] = [...items.map(() => ({})), {}, { hidden: true }]
  const book = utils.book_new()
  utils.book_append_sheet(book, sheet, 'A')
  utils.book_append_sheet(book, utils.aoa_to_sheet([[secret, 'x']]), 'B')
  book.Workbook = { Sheets: [{ Hidden: 0 }, { Hidden: 1 }] }
  return new Uint8Array(write(book, { type: 'array', bookType, cellStyles: true }))
}

const contract: Make = (business) => {
  const run = (content: string, properties = '') =>
    `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${content}</w:t></w:r>`
  const row = (cells: string[], properties = '') =>
    `<w:tr><w:trPr>${properties}</w:trPr>${cells.map((cell) => `<w:tc><w:p>${cell}</w:p></w:tc>`).join('')}</w:tr>`
  const rows = business.items.map(({ name, price, old }) =>
    row([run(name), (old ? run(String(old), '<w:strike/>') : '') + run(` ${price}`)]),
  )
  const faq = business.faq.flatMap(({ question, answer }) => [paragraph(question, '', '<w:b/>'), paragraph(answer)])
  return {
    format: 'docx',
    bytes: makeDocx({
      body: [
        paragraph(business.name),
        `<w:tbl>${row([run(business.words.item), run(business.words.price)])}${rows.join('')}${row([run(business.secret), run('1')], '<w:del/>')}</w:tbl>`,
        ...faq,
        paragraph(business.secret, '', '<w:vanish/>'),
        `<w:p><w:del>${run(business.secret).replaceAll('w:t>', 'w:delText>').replace('<w:t ', '<w:delText ')}</w:del></w:p>`,
        paragraph(contacts(business)),
      ].join(''),
    }),
  }
}

/** One sheet for each product, with a header, a footer and the number of the page. */
const sheets: Make = (business) => ({
  format: 'pdf',
  bytes: makePdf(
    [...business.items, ...business.items.map((item) => ({ ...item, name: `${item.name} XL` }))].map(
      ({ name, price }, at) => ({
        texts: [
          { text: business.name, y: 780 },
          { text: name, y: 700, size: 18 },
          { text: questions(business).slice(0, 2).join(' '), y: 660 },
          { text: `${business.words.price}: ${name} — ${price} ₸`, y: 640 },
          { text: `${business.words.contacts}: ${business.phone}`, y: 620 },
          { text: `${at + 1}`, x: 300, y: 20 },
        ],
      }),
    ),
  ),
})

const slides: Make = (business) => {
  const line = (content: string, strike = '') => `<a:r><a:rPr ${strike}/><a:t>${content}</a:t></a:r>`
  const slide = (title: string, lines: string[], show = '') =>
    `<p:sld ${show}><p:sp><p:nvPr><p:ph type="title"/></p:nvPr><a:p>${line(title)}</a:p></p:sp><p:sp><p:nvPr><p:ph/></p:nvPr>${lines.map((each) => `<a:p>${each}</a:p>`).join('')}</p:sp></p:sld>`
  const prices = business.items.map(
    ({ name, price, old }) =>
      line(`${name}: `) + (old ? line(String(old), 'strike="sngStrike"') : '') + line(` ${price} ₸`),
  )
  const all = [
    slide(business.words.prices, prices),
    ...business.faq.map(({ question, answer }) => slide(question, [line(answer)])),
    slide('Internal', [line(business.secret)], 'show="0"'),
    slide(business.words.contacts, [line(contacts(business))]),
  ]
  return zip('pptx', {
    'ppt/presentation.xml': `<p:p>${all.map((_, at) => `<p:sldId r:id="r${at}"/>`).join('')}</p:p>`,
    'ppt/_rels/presentation.xml.rels': `<R>${all.map((_, at) => `<Relationship Id="r${at}" Target="slides/slide${at}.xml"/>`).join('')}</R>`,
    ...Object.fromEntries(all.map((xml, at) => [`ppt/slides/slide${at}.xml`, xml])),
  })
}

const STYLES =
  '<office:automatic-styles><style:style style:name="S"><style:text-properties style:text-line-through-style="solid"/></style:style></office:automatic-styles>'

const odt: Make = (business) => {
  const items = business.items.map(
    ({ name, price, old }) =>
      `<text:p>${name} ${old ? `<text:span text:style-name="S">${old}</text:span> ` : ''}${price} ₸</text:p>`,
  )
  const faq = business.faq.map(
    ({ question, answer }) =>
      `<text:h text:outline-level="2">${question}</text:h><text:p>${answer}<office:annotation><text:p>${business.secret}</text:p></office:annotation></text:p>`,
  )
  return zip('odt', {
    'content.xml': `<office:document-content>${STYLES}<office:text><text:h text:outline-level="1">${business.name}</text:h>${items.join('')}${faq.join('')}<text:p>${contacts(business)}</text:p></office:text></office:document-content>`,
  })
}

const ods: Make = (business) => {
  const row = (cells: (string | number)[], attributes = '') =>
    `<table:table-row ${attributes}>${cells.map((cell) => `<table:table-cell><text:p>${cell}</text:p></table:table-cell>`).join('')}</table:table-row>`
  const rows = business.items.map(({ name, price }) => row([name, `${price},00`]))
  return zip('ods', {
    'content.xml': `<office:document-content><office:spreadsheet><table:table table:name="A">${row([business.words.item, business.words.price])}${rows.join('')}${row([business.secret, 1], 'table:visibility="collapse"')}</table:table></office:spreadsheet></office:document-content>`,
  })
}

const rtf: Make = (business) => {
  const spelled = (content: string) =>
    Array.from(content, (letter) => (letter < '\u0080' ? letter : `\\u${letter.charCodeAt(0)}?`)).join('')
  const items = business.items.map(
    ({ name, price, old }) => `${spelled(name)} ${old ? `{\\strike ${old}}` : ''} ${price}\\par `,
  )
  const faq = questions(business).map((line) => `${spelled(line)}\\par `)
  return text(
    'rtf',
    `{\\rtf1\\ansi\\ansicpg1251 ${items.join('')}${faq.join('')}{\\v ${spelled(business.secret)}}${spelled(contacts(business))}\\par}`,
  )
}

const fromPage =
  (make: (business: Business) => string): Make =>
  (business) =>
    text('html', make(business))

/** By the way in which the document came to be, and which facts are in it. */
export const LAYOUTS: Record<string, { make: Make; hasFaq: boolean; hasContacts: boolean }> = {
  memo: { make: memo, hasFaq: true, hasContacts: true },
  oldMemo: { make: oldMemo, hasFaq: true, hasContacts: true },
  wideMemo: { make: wideMemo, hasFaq: true, hasContacts: true },
  markdown: { make: markdown, hasFaq: true, hasContacts: true },
  excelCsv: { make: excelCsv, hasFaq: false, hasContacts: false },
  accountingCsv: { make: accountingCsv, hasFaq: false, hasContacts: false },
  json: { make: json, hasFaq: true, hasContacts: false },
  workbook: {
    make: (business) => ({ format: 'xlsx', bytes: workbook(business, 'xlsx') }),
    hasFaq: false,
    hasContacts: false,
  },
  oldWorkbook: {
    make: (business) => ({ format: 'xls', bytes: workbook(business, 'biff8') }),
    hasFaq: false,
    hasContacts: false,
  },
  contract: { make: contract, hasFaq: true, hasContacts: true },
  sheets: { make: sheets, hasFaq: false, hasContacts: false },
  slides: { make: slides, hasFaq: true, hasContacts: true },
  odt: { make: odt, hasFaq: true, hasContacts: true },
  ods: { make: ods, hasFaq: false, hasContacts: false },
  rtf: { make: rtf, hasFaq: true, hasContacts: true },
  ...Object.fromEntries(
    Object.entries(PAGES).map(([name, make]) => [name, { make: fromPage(make), hasFaq: true, hasContacts: true }]),
  ),
}

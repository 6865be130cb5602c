// Word and Excel files made to break their readers: bombs, false directory entries, names with path traversal, entities.
import { deflateRawSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { makeDocx, paragraph } from './docx.ts'
import { type Hostile, READABLE, SECRET_FILE } from './hostile.ts'

const MEBIBYTE = 1024 * 1024
const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const SHEET = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
/** Each word of ten of the one before: 10⁹ in all. */
const LAUGHS = `<!DOCTYPE x [<!ENTITY a "ha">${Array.from('bcdefghij', (word, at) => `<!ENTITY ${word} "${`&${'abcdefghi'[at]};`.repeat(10)}">`).join('')}]>`
const OUTSIDE = `<!DOCTYPE x [<!ENTITY j SYSTEM "file://${SECRET_FILE}"><!ENTITY % k SYSTEM "http://127.0.0.1:9/x"> %k;]>`

/** An entry as it stands in the directory. `lies`: the size that the directory tells; `at`: the entry whose bytes it shows. */
type Entry = { name: string; content: string | Uint8Array; lies?: number; at?: number }

/** A zip of which every field can be wrong. `claims`: how many entries its end says there are. */
function makeZip(entries: Entry[], claims = entries.length): Buffer {
  const local: Buffer[] = []
  const directory: Buffer[] = []
  const places: { offset: number; packed: Buffer }[] = []
  let end = 0
  for (const { name, content, lies, at } of entries) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const place = at === undefined ? { offset: end, packed: deflateRawSync(bytes, { level: 9 }) } : places[at]
    if (!place) throw new Error('An entry shows the bytes of one that stands before it.')
    places.push(place)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(place.packed.length, 14)
    fields.writeUInt32LE(lies ?? bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    if (at === undefined) {
      const part = [Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), place.packed]
      for (const each of part) end += each.length
      local.push(...part)
    }
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(place.offset, 10)
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), fields, rest, Buffer.from(name))
  }
  const listed = Buffer.concat(directory)
  const tail = Buffer.alloc(22)
  tail.write('PK\u0005\u0006', 'latin1')
  tail.writeUInt16LE(claims, 8)
  tail.writeUInt16LE(claims, 10)
  tail.writeUInt32LE(listed.length, 12)
  tail.writeUInt32LE(end, 16)
  return Buffer.concat([...local, listed, tail])
}

const packed = (entries: Record<string, string | Uint8Array>) =>
  makeZip(Object.entries(entries).map(([name, content]) => ({ name, content })))
const spaces = (mebibytes: number) => Buffer.alloc(mebibytes * MEBIBYTE, ' ')
const wordPart = (text: string, before = '') =>
  `${before}<w:document ${WORD}><w:body>${paragraph(text)}</w:body></w:document>`

/** A workbook with one sheet of one row; `strings`: the part that holds its two texts. */
function workbook(strings: string, sheet = ''): Entry[] {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`
  const relations = (body: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${body}</Relationships>`
  const types = ['workbook|sheet.main', 'worksheets/sheet1|worksheet', 'sharedStrings|sharedStrings']
    .map((each) => each.split('|'))
    .map(
      ([part, type]) =>
        `<Override PartName="/xl/${part}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`,
    )
  return [
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${types.join('')}</Types>`,
    },
    { name: '_rels/.rels', content: relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')) },
    {
      name: 'xl/workbook.xml',
      content: `<workbook ${SHEET} xmlns:r="${RELATIONS}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relations(
        relation('rId1', 'worksheet', 'worksheets/sheet1.xml') + relation('rId2', 'sharedStrings', 'sharedStrings.xml'),
      ),
    },
    { name: 'xl/sharedStrings.xml', content: strings },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `<worksheet ${SHEET}><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>${sheet}</sheetData></worksheet>`,
    },
  ]
}
const strings = (second: string, before = '') =>
  `${before}<sst ${SHEET}><si><t>${READABLE}</t></si><si><t>${second}</t></si></sst>`

const cells = `<row r="2">${'<c r="A2"><v>1</v></c>'.repeat(3)}</row>`
const farCell = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
const withLies = (entries: Entry[], name: string, content: Uint8Array, lies: number): Entry[] => [
  ...entries.filter((entry) => entry.name !== name),
  { name, content, lies },
]
const overlapping = (): Entry[] => {
  const content = Buffer.from(Array.from({ length: 400_000 }, (_, at) => `${at} `).join(''))
  const first: Entry = { name: 'word/document.xml', content }
  return [first, ...Array.from({ length: 200 }, (_, at) => ({ name: `${at}.xml`, content, at: 0 }))]
}

export const CONTAINERS: Hostile[] = [
  {
    name: 'bomb.xlsx', // 200 MiB in about 200 KB
    content: () => packed({ 'xl/workbook.xml': '<w/>', 'xl/worksheets/sheet1.xml': spaces(200) }),
    ends: { documents: 'too_large', tables: 'too_large' },
  },
  { name: 'bomb.docx', content: () => packed({ 'word/document.xml': spaces(64) }), ends: { documents: 'too_large' } },
  {
    name: 'nested.xlsx',
    content: () => packed({ 'a.zip': packed({ 'b.zip': packed({ 'c.zip': spaces(8) }) }) }),
    ends: { documents: 'damaged', tables: 'damaged' },
  },
  {
    name: 'nested.docx',
    content: () => packed({ 'word/document.xml': packed({ 'word/document.xml': wordPart(READABLE) }) }),
    ends: { documents: 'empty' },
  },
  {
    name: 'entries.docx',
    content: () =>
      Buffer.from(zipSync(Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`${at}`, strToU8('')])))),
    ends: { documents: 'too_large' },
  },
  {
    name: 'claimed-entries.xlsx',
    content: () => makeZip([{ name: 'xl/workbook.xml', content: '<w/>' }], 65_000),
    ends: { documents: 'too_large', tables: 'too_large' },
  },
  { name: 'overlapping.docx', content: () => makeZip(overlapping()), ends: { documents: 'too_large' } },
  {
    name: 'small-lie.docx',
    content: () => makeZip([{ name: 'word/document.xml', content: spaces(64), lies: 100 }]),
    ends: { documents: 'damaged' },
  },
  {
    name: 'small-lie.xlsx',
    content: () => makeZip(withLies(workbook(strings('x')), 'xl/worksheets/sheet1.xml', spaces(64), 100)),
    ends: { documents: 'damaged', tables: 'damaged' },
  },
  {
    name: 'great-lie.docx',
    content: () => makeZip([{ name: 'word/document.xml', content: wordPart(READABLE), lies: 0xfffffff0 }]),
    ends: { documents: 'too_large' },
  },
  {
    name: 'climbing.docx',
    content: () => packed({ '../../../../tmp/parley-escaped': 'x', 'word/document.xml': wordPart(READABLE) }),
    ends: { documents: 'damaged' },
  },
  {
    name: 'absolute.xlsx',
    content: () => makeZip([...workbook(strings('x')), { name: '/tmp/parley-escaped', content: 'x' }]),
    ends: { documents: 'damaged', tables: 'damaged' },
  },
  {
    name: 'backslashes.xlsx',
    content: () => makeZip([...workbook(strings('x')), { name: '..\\..\\tmp\\parley-escaped', content: 'x' }]),
    ends: { documents: 'damaged', tables: 'damaged' },
  },
  {
    name: 'laughs.docx', // the words are not read: nothing grows
    content: () => packed({ 'word/document.xml': wordPart(`${READABLE} &j;`, LAUGHS) }),
    ends: { documents: 'ready' },
  },
  {
    name: 'laughs.xlsx',
    content: () => makeZip(workbook(strings('&j;', LAUGHS), cells)),
    ends: { documents: 'ready' },
  },
  {
    name: 'outside.docx',
    content: () => packed({ 'word/document.xml': wordPart(`${READABLE} &j;`, OUTSIDE) }),
    ends: { documents: 'ready' },
  },
  {
    name: 'outside.xlsx',
    content: () => makeZip(workbook(strings('&j;', OUTSIDE), cells)),
    ends: { documents: 'ready' },
  },
  { name: 'far-cell.xlsx', content: () => makeZip(workbook(strings('x'), farCell)), ends: { documents: 'ready' } },
  {
    name: 'deep-tables.docx',
    content: () =>
      packed({
        'word/document.xml': `<w:document ${WORD}>${'<w:tbl><w:tr><w:tc>'.repeat(10_000)}${paragraph(READABLE)}`,
      }),
    ends: { documents: 'ready' },
  },
  {
    name: 'cut-off.docx',
    content: () => Buffer.from(makeDocx({ body: paragraph(READABLE) })).subarray(0, 400),
    ends: { documents: 'damaged' },
  },
  {
    name: 'cut-off.xlsx',
    content: () => makeZip(workbook(strings('x'))).subarray(0, 700),
    ends: { documents: 'damaged', tables: 'damaged' },
  },
  {
    name: 'word.xlsx',
    content: () => Buffer.from(makeDocx({ body: paragraph(READABLE) })),
    ends: { documents: 'type_mismatch', tables: 'type_mismatch' },
  },
  {
    name: 'program.docx', // what stands before a zip does not keep programs from opening it
    content: () => Buffer.concat([Buffer.from('MZ\u0090\u0000', 'latin1'), makeDocx({ body: paragraph(READABLE) })]),
    ends: { documents: 'type_mismatch' },
  },
]

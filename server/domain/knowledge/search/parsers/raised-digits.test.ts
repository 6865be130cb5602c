// Raised and lowered digits stay what a reader sees, in every format: 499⁹⁰ is no 49990, and 50 м² no 50 м2.
import { strToU8, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import type { DocumentFormat } from '#shared/knowledge/knowledge.ts'
import { makeDocx } from '#tests/fakes/docx.ts'
import { makePdf } from '#tests/fakes/pdf.ts'
import { PARSE_LIMITS } from './limits.ts'
import { parse } from './parse.ts'
import { parseTable } from './tables/parse-table.ts'

const zip = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))

const docx = () => {
  const run = (text: string, align = '') =>
    `<w:r><w:rPr>${align && `<w:vertAlign w:val="${align}"/>`}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
  return makeDocx({
    body: `<w:p>${run('Цена 499')}${run('90', 'superscript')}${run(' руб, CO')}${run('2', 'subscript')}</w:p>`,
  })
}

const pptx = () => {
  const run = (text: string, properties = '') => `<a:r><a:rPr ${properties}/><a:t>${text}</a:t></a:r>`
  return zip({
    'ppt/presentation.xml': '<p><p:sldId r:id="r"/></p>',
    'ppt/_rels/presentation.xml.rels': '<R><Relationship Id="r" Target="slides/slide1.xml"/></R>',
    'ppt/slides/slide1.xml': `<p:sld><p:sp><p:txBody><a:p>${run('Цена 499')}${run('90', 'baseline="30000"')}${run(' руб, CO')}${run('2', 'baseline="-25000"')}</a:p></p:txBody></p:sp></p:sld>`,
  })
}

const odt = () => {
  const style = (name: string, position: string) =>
    `<style:style style:name="${name}"><style:text-properties style:text-position="${position}"/></style:style>`
  const styles = `<office:automatic-styles>${style('U', 'super 58%')}${style('D', 'sub 58%')}</office:automatic-styles>`
  const span = (name: string, text: string) => `<text:span text:style-name="${name}">${text}</text:span>`
  return zip({
    'content.xml': `<office:document-content>${styles}<office:text><text:p>Цена 499${span('U', '90')} руб, CO${span('D', '2')}</text:p></office:text></office:document-content>`,
  })
}

const rtf = () =>
  Buffer.from(
    "{\\rtf1\\ansi\\ansicpg1251 \\'d6\\'e5\\'ed\\'e0 499{\\super 90} \\'f0\\'f3\\'e1, CO\\sub 2\\nosupersub\\par}",
    'latin1',
  )

const xlsx = () => {
  const run = (text: string, align = '') =>
    `<r><rPr>${align && `<vertAlign val="${align}"/>`}<sz val="11"/></rPr><t xml:space="preserve">${text}</t></r>`
  const text = (name: string, value: string) => `<c r="${name}" t="inlineStr"><is>${value}</is></c>`
  const rows = [
    `<row r="1">${text('A1', '<t>Товар</t>')}${text('B1', '<t>Цена</t>')}</row>`,
    `<row r="2">${text('A2', '<t>Чай</t>')}${text('B2', run('499') + run('90', 'superscript'))}</row>`,
    `<row r="3">${text('A3', '<t>Сок</t>')}${text('B3', '<t>300</t>')}</row>`,
  ]
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const relation = (type: string, target: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${relations}/${type}" Target="${target}"/></Relationships>`
  return zip({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    '_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${rows.join('')}</sheetData></worksheet>`,
  })
}

const pdf = () =>
  makePdf([
    {
      texts: [
        { text: 'Цена 499', y: 700 },
        { text: '90', x: 98, y: 704.5, size: 7 },
        { text: 'руб, CO', x: 110, y: 700 },
        { text: '2', x: 152, y: 698, size: 7 },
        { text: 'Доставка по городу 500 тенге', y: 670 },
      ],
    },
  ])

it.each<[DocumentFormat, () => Uint8Array]>([
  ['docx', docx],
  ['pptx', pptx],
  ['odt', odt],
  ['rtf', rtf],
])('in %s', async (format, file) => {
  const { chunks } = await parse(file(), format, PARSE_LIMITS)
  expect(chunks.map(({ body }) => body)).toEqual(['Цена 499⁹⁰ руб, CO₂'])
})

it('in pdf', async () => {
  const { chunks } = await parse(pdf(), 'pdf', PARSE_LIMITS)
  expect(chunks.map(({ body }) => body).join(' ')).toContain('Цена 499⁹⁰ руб, CO₂')
})

it('in a workbook, as a document and as a table', async () => {
  const { chunks } = await parse(xlsx(), 'xlsx', PARSE_LIMITS)
  expect(chunks.map(({ body }) => body)).toEqual(['Товар | Цена\nЧай | 499⁹⁰\nСок | 300'])
  const table = await parseTable(xlsx(), 'xlsx', PARSE_LIMITS)
  expect(table.rows.map(({ cells }) => cells[1])).toEqual(['499⁹⁰', '300'])
  expect(table.rows[0]?.typed[1]).not.toBe(49_990)
})

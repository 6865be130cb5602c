// What a DOCX has outside of its running text: text boxes, the head and foot of its pages, signs of symbol fonts, formulas.
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { paragraph, table } from '#tests/fakes/docx.ts'
import { PARSE_LIMITS } from '../limits.ts'
import { parse } from '../parse.ts'

async function read(body: string, others: Record<string, string> = {}) {
  const relations = Object.keys(others).map((name, at) => `<Relationship Id="r${at}" Target="${name}"/>`)
  const parts = {
    'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
    ...Object.fromEntries(Object.entries(others).map(([name, xml]) => [`word/${name}`, xml])),
  }
  const file = zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])))
  return (await parse(file, 'docx', PARSE_LIMITS)).chunks.map((chunk) => chunk.body)
}

describe('a text box', () => {
  const box = (content: string) => `<w:txbxContent>${content}</w:txbxContent>`
  const drawn = (content: string) =>
    `<w:r><mc:AlternateContent><mc:Choice><w:drawing>${box(content)}</w:drawing></mc:Choice><mc:Fallback><w:pict>${box(content)}</w:pict></mc:Fallback></mc:AlternateContent></w:r>`
  const old = (content: string) => `<w:r><w:pict><v:textbox>${box(content)}</v:textbox></w:pict></w:r>`
  const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`

  it.each([
    ['of today', drawn],
    ['of an old document', old],
  ])('%s is a paragraph of its own, read once', async (_, boxed) => {
    const body = `<w:p>${boxed(paragraph('Скидка 20%'))}${run('Доставка 500')}</w:p>`
    expect(await read(body)).toEqual(['Скидка 20%\nДоставка 500'])
  })

  it('may hold a table, and stand in the cell of one', async () => {
    expect(
      await read(
        `<w:p>${old(
          table([
            ['Чай', '500'],
            ['Сок', '300'],
          ]),
        )}${run('Меню')}</w:p>`,
      ),
    ).toEqual(['Чай | 500\nСок | 300', 'Меню'])
    const cell = `<w:tbl><w:tr><w:tc><w:p>${run('Чай')}${old(paragraph('хит'))}${run('500')}</w:p></w:tc><w:tc>${paragraph('шт')}</w:tc></w:tr></w:tbl>`
    expect(await read(cell)).toEqual(['Чай хит 500 | шт'])
  })
})

describe('the head and the foot of the pages', () => {
  it('give how to reach the business, once', async () => {
    const header = `<w:hdr>${table([['ТОО «Ромашка»', 'Тел. 8 701 555 00 11']])}${paragraph('Прайс-лист')}</w:hdr>`
    const footer = `<w:ftr>${paragraph('info@shop.kz')}${paragraph('Страница 1 из 9')}${paragraph('Адрес в тексте: ул. Абая, 5')}</w:ftr>`
    const body = paragraph('Адрес в тексте: ул. Абая, 5')
    expect(await read(body, { 'header1.xml': header, 'header2.xml': header, 'footer1.xml': footer })).toEqual([
      'ТОО «Ромашка» | Тел. 8 701 555 00 11\ninfo@shop.kz\nАдрес в тексте: ул. Абая, 5',
    ])
  })
})

it('diagrams are read behind the text', async () => {
  const point = (text: string) => `<dgm:pt><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`
  const diagram = `<dgm:dataModel>${point('Заявка')}${point('Оплата 50%')}</dgm:dataModel>`
  expect(await read(paragraph('Как купить'), { 'diagrams/data1.xml': diagram })).toEqual([
    'Как купить\nЗаявка\nОплата 50%',
  ])
})

it('signs of symbol fonts and formulas are text', async () => {
  const sign = (font: string, char: string) => `<w:r><w:sym w:font="${font}" w:char="${char}"/></w:r>`
  const body = `<w:p><w:r><w:t>Wi-Fi </w:t></w:r>${sign('Wingdings', 'F0FC')}<w:r><w:t>, завтрак </w:t></w:r>${sign('Wingdings', 'F0FB')}<w:r><w:t>, 20</w:t></w:r>${sign('Symbol', 'F0B4')}<w:r><w:t>30</w:t></w:r></w:p><w:p><m:oMath><m:r><m:t>S=12</m:t></m:r></m:oMath></w:p>`
  expect(await read(body)).toEqual(['Wi-Fi ✓, завтрак ✗, 20×30\nS=12'])
})

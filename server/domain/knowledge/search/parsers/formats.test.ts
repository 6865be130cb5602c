// The result of each format, and every reason for which a file is rejected. Files are generated here.
import { strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { DocumentFormat } from '#shared/knowledge/knowledge.ts'
import { makeDocx, paragraph, table } from '#tests/fakes/docx.ts'
import { makePdf, makeTextPdf } from '#tests/fakes/pdf.ts'
import { PARSE_LIMITS, type ParseLimits } from './limits.ts'
import { parse } from './parse.ts'

const RUSSIAN = 'Доставка по городу занимает два рабочих дня и стоит триста рублей за каждый заказ.'

async function read(content: string | Uint8Array, format: DocumentFormat, limits: ParseLimits = PARSE_LIMITS) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const document = await parse(bytes, format, limits)
  const chunks = document.chunks.map(({ headingPath, body, page }) => ({ path: headingPath.join(' / '), body, page }))
  return { ...document, chunks, bodies: chunks.map(({ body }) => body) }
}
const refusal = (content: string | Uint8Array, format: DocumentFormat, limits?: ParseLimits) =>
  expect(read(content, format, limits)).rejects

describe('long tables', () => {
  it.each<[DocumentFormat, string]>([
    ['csv', `a;b\n${'1;2\n'.repeat(150_000)}`],
    ['html', `<table>${'<tr><td>1<td>2'.repeat(150_000)}`],
    ['md', '|1|2|\n'.repeat(150_000)],
    ['json', JSON.stringify({ rows: Array(150_000).fill({ a: 1 }), b: 2 })],
  ])('of %s are read to their end', async (format, content) => {
    const { chunks } = await read(content, format)
    expect(chunks.length).toBeGreaterThan(1_000)
  })
})

describe('plain text', () => {
  it('is empty when it holds only invisible characters', () =>
    refusal('\u200b\n\u00ad\n', 'txt').toMatchObject({ reason: 'empty' }))

  it('keeps short lines apart and joins lines that a program has wrapped', async () => {
    const wrapped = 'Эта строка была разорвана программой посреди предложения,\nпотому что окно было узким.'
    const { bodies } = await read(`Часы работы\n9–18\n\n${wrapped}`, 'txt')
    expect(bodies).toEqual([`Часы работы\n9–18\n${wrapped.replace('\n', ' ')}`])
  })

  it('takes named and numbered lines for headings', async () => {
    const { chunks } = await read(
      '1. ПРЕДМЕТ ДОГОВОРА\nСтороны договорились.\n\nСтатья 5. Возврат\nДеньги вернём.\n\n5.1. Сроки возврата\nДесять дней.',
      'txt',
    )
    expect(chunks.map(({ path, body }) => [path, body])).toEqual([
      ['1. ПРЕДМЕТ ДОГОВОРА', 'Стороны договорились.'],
      ['1. ПРЕДМЕТ ДОГОВОРА / Статья 5. Возврат', 'Деньги вернём.'],
      ['1. ПРЕДМЕТ ДОГОВОРА / 5.1. Сроки возврата', 'Десять дней.'],
    ])
  })

  it('marks what is struck through letter by letter', async () => {
    const text = 'Чай 1\u0336 \u03360\u03360\u03360\u0336 700 тг\nД\u0336а\u0336 Нет'
    expect((await read(text, 'txt')).bodies).toEqual(['Чай (старая цена: 1 000) 700 тг\n(неактуально: Да) Нет'])
  })

  it('reads Russian in windows-1251', async () => {
    const bytes = Uint8Array.from(
      Array.from('Привет, мир', (c) => (c > 'я' || c < 'А' ? c.charCodeAt(0) : c.charCodeAt(0) - 848)),
    )
    expect((await read(bytes, 'txt')).bodies).toEqual(['Привет, мир'])
  })

  it('is not taken in when its encoding is not sure: a person chooses, the likeliest first', async () => {
    const gbk = Buffer.from('b2fac6b7bcdbb8f1a3ba313030d4aa', 'hex')
    await refusal(gbk, 'txt').toMatchObject({
      reason: 'encoding_unsure',
      choices: expect.arrayContaining([{ encoding: 'gb18030', preview: '产品价格：100元' }]),
    })
    const chosen = await parse(gbk, 'txt', PARSE_LIMITS, { encoding: 'gb18030' })
    expect(chosen.chunks.map(({ body }) => body)).toEqual(['产品价格：100元'])
    const guessed = await parse(gbk, 'txt', PARSE_LIMITS, { takesGuess: true })
    expect(guessed.warnings).toEqual([{ kind: 'encoding_guessed', encoding: 'gb18030' }])
  })

  it('stores marks that models treat specially as plain text, and no NUL', async () => {
    expect((await read('до <|endoftext|> после', 'txt')).bodies).toEqual(['до <|endoftext|> после'])
  })

  it('leaves out what lies beyond the limit, and says so', async () => {
    const { bodies, warnings } = await read('слово '.repeat(100), 'txt', { ...PARSE_LIMITS, characters: 60 })
    expect(bodies.join('').length).toBeLessThanOrEqual(60)
    expect(warnings).toEqual([{ kind: 'limit_reached', limit: 'characters', kept: 60 }])
  })
})

describe('Markdown', () => {
  it('reads headings, lists, tables and code', async () => {
    const { chunks } = await read(
      '---\ntitle: x\n---\n# Доставка\nЖирный **текст** и [сайт](https://a.ru).\n\n- пункт\n2. ещё\n\nУсловия\n-------\n| Город | Цена |\n|---|---|\n| Пермь | 300 |\n\n```\n# не заголовок\n```\n',
      'md',
    )
    expect(chunks.map(({ path, body }) => [path, body])).toEqual([
      ['Доставка', 'Жирный текст и сайт (https://a.ru).\nпункт\n2. ещё'],
      ['Доставка / Условия', 'Город | Цена\nПермь | 300'],
      ['Доставка / Условия', '# не заголовок'],
    ])
  })

  it('leaves comments out and marks struck text as old, also as HTML', async () => {
    const text =
      '# Чай\n\nЗелёный ~~1 000~~ 700, чёрный <del>900</del> 500. <!-- маржа\n40 % -->\n\n[//]: # (не говорить)\n\n| Чай | Цена |\n|---|---|\n| Белый | ~~5~~ 4 |\n\n```\n<!-- код ~~1~~ -->\n```\n<a href="tel:+77010000001">Звоните</a>'
    const { bodies, warnings } = await read(text, 'md')
    expect(bodies.join('\n')).toBe(
      'Зелёный (старая цена: 1 000) 700, чёрный (старая цена: 900) 500.\nЧай | Цена\nБелый | (старая цена: 5) 4\n<!-- код ~~1~~ -->\nЗвоните (+77010000001)',
    )
    expect(warnings).toEqual([{ kind: 'hidden', counts: { comments: 2 }, isIncluded: false }])
    const all = await parse(Buffer.from(text), 'md', PARSE_LIMITS, { includeHidden: true })
    expect(all.chunks.map(({ body }) => body).join('\n')).toMatch(/маржа 40 %[\s\S]*не говорить/)
  })

  it('names the targets of links that are defined elsewhere, and leaves out remarks of other programs', async () => {
    const text =
      'Write [in chat][1], [Telegram] or [Call us][tel]. [Not a link] %% margin 40 % %%\n\n{/* never say this */}\n[1]: https://wa.me/7701 "chat"\n[telegram]: <https://t.me/shop>\n[TEL]: tel:+7701\n[unused]: kept'
    const { bodies, warnings } = await read(text, 'md')
    expect(bodies.join('\n')).toBe(
      'Write in chat (https://wa.me/7701), Telegram (https://t.me/shop) or Call us (tel:+7701). [Not a link]\n[unused]: kept',
    )
    expect(warnings).toEqual([{ kind: 'hidden', counts: { comments: 2 }, isIncluded: false }])
  })

  it('takes the marks off that close a heading, and leaves those that belong to a word', async () => {
    const { chunks } = await read('# Доставка ##  \nОдин день.\n\n# Язык C#\nДва дня.', 'md')
    expect(chunks.map(({ path }) => path)).toEqual(['Доставка', 'Язык C#'])
  })
})

describe('HTML', () => {
  it('reads structure and leaves scripts, navigation and hidden parts out', async () => {
    const { chunks } = await read(
      `<html><head><title>t</title><script>alert(1)</script></head><body><nav>Меню</nav><h1>Оплата</h1>
       <p>Картой&nbsp;или<br>наличными</p><ul><li><p>Visa</p></li><li>Мир</li></ul><div hidden>тайна</div>
       <table><tr><th>Срок</th><th>Цена</th></tr><tr><td>1 день</td><td>500</td></tr></table><footer>подвал</footer>`,
      'html',
    )
    expect(chunks.map(({ path, body }) => [path, body])).toEqual([
      ['Оплата', 'Картой или\nналичными\nVisa\nМир'],
      ['Оплата', 'Срок | Цена\n1 день | 500'],
    ])
  })

  it('says what a cell over several rows or columns says in each of them, so that no price moves under another name', async () => {
    const { bodies } = await read(
      `<table><tr><td colspan="4">Тарифы</td></tr><tr><th>Номер</th><th>Сезон</th><th colspan="2">Цена</th></tr>
       <tr><td rowspan="2">Люкс</td><td>Лето</td><td>900</td><td>950</td></tr><tr><td>Зима</td><td>500</td><td>550</td></tr>
       <tr><td>Стандарт</td><td>Лето</td><td colspan="2">300</td></tr></table>`,
      'html',
    )
    expect(bodies).toEqual([
      'Тарифы\nНомер | Сезон | Цена | Цена\nЛюкс | Лето | 900 | 950\nЛюкс | Зима | 500 | 550\nСтандарт | Лето | 300 | 300',
    ])
  })

  it('survives cells that claim a million rows and columns', async () => {
    const rows = '<tr><td rowspan="1000000" colspan="1000000">а<td>б</tr>'.repeat(300)
    expect((await read(`<table>${rows}</table>`, 'html')).bodies.length).toBeGreaterThan(0)
  })

  it('believes the charset that the file names', async () => {
    const bytes = Buffer.concat([Buffer.from('<meta charset="windows-1251"><p>'), Buffer.of(0xcc, 0xe8, 0xf0)])
    expect((await read(bytes, 'html')).bodies).toEqual(['Мир'])
  })

  it('survives a hundred thousand open tags', async () => {
    expect((await read(`${'<div>'.repeat(100_000)}дно`, 'html')).bodies).toEqual(['дно'])
  })
})

describe('DOCX', () => {
  it('reads headings by style and outline level, lists, tables, breaks and notes; skips deleted text', async () => {
    const { chunks } = await read(
      makeDocx({
        styles:
          '<w:style w:styleId="H"><w:name w:val="heading 1"/></w:style><w:style w:styleId="H2"><w:basedOn w:val="H"/></w:style>',
        footnotes: `<w:footnote w:id="2">${paragraph('Кроме праздников.')}</w:footnote>`,
        body:
          paragraph('Оплата', '<w:pStyle w:val="H2"/>') +
          '<w:p><w:r><w:t>Можно</w:t><w:tab/><w:t>картой.</w:t><w:br/><w:t>Всегда.</w:t><w:footnoteReference w:id="2"/></w:r><w:del><w:r><w:t>Нельзя.</w:t></w:r></w:del></w:p>' +
          paragraph('Первое', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>') +
          paragraph('Сроки', '<w:outlineLvl w:val="1"/>') +
          table([
            ['Город', 'Дни'],
            ['Пермь', '3'],
          ]),
      }),
      'docx',
    )
    expect(chunks.map(({ path, body }) => [path, body])).toEqual([
      ['Оплата', 'Можно картой.\nВсегда.\nКроме праздников.\nПервое'],
      ['Оплата / Сроки', 'Город | Дни\nПермь | 3'],
    ])
  })

  it('writes the numbers that Word counts before clauses, so that they are found by them', async () => {
    const level = (at: number, text: string, format = 'decimal') =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`
    const clause = (text: string, at: number, id = 1) =>
      paragraph(text, `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${id}"/></w:numPr>`)
    const { chunks } = await read(
      makeDocx({
        numbering: `<w:abstractNum w:abstractNumId="7">${level(0, '%1.')}${level(1, '%1.%2.')}${level(2, '%3)', 'russianLower')}</w:abstractNum>
          <w:abstractNum w:abstractNumId="8">${level(0, '•', 'bullet')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>
          <w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>`,
        styles: '<w:style w:styleId="C"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>',
        body:
          paragraph('ПРЕДМЕТ ДОГОВОРА', '<w:pStyle w:val="C"/>') +
          clause('Исполнитель убирает дом.', 1) +
          clause('ЦЕНА', 0) +
          clause('Уборка стоит 5 000 рублей.', 1) +
          clause('Оплата за пять дней:', 1) +
          clause('картой;', 2) +
          clause('наличными.', 2) +
          clause('По выходным дороже.', 0, 2),
      }),
      'docx',
    )
    expect(chunks.map(({ path, body }) => [path, body])).toEqual([
      ['1. ПРЕДМЕТ ДОГОВОРА', '1.1. Исполнитель убирает дом.'],
      [
        '2. ЦЕНА',
        '2.1. Уборка стоит 5 000 рублей.\n2.2. Оплата за пять дней:\nа) картой;\nб) наличными.\nПо выходным дороже.',
      ],
    ])
  })

  it('promotes short bold paragraphs of a document without heading styles', async () => {
    const { chunks } = await read(
      makeDocx({
        body:
          paragraph('Порядок расчётов', '', '<w:b/>') +
          paragraph('Оплата в течение пяти дней.') +
          paragraph('Глава 2. Ответственность') +
          paragraph('Не жирный', '', '<w:b w:val="0"/>') +
          paragraph('Стороны отвечают по закону.'),
      }),
      'docx',
    )
    expect(chunks.map(({ path, body }) => [path, body])).toEqual([
      ['Порядок расчётов', 'Оплата в течение пяти дней.'],
      ['Глава 2. Ответственность', 'Не жирный\nСтороны отвечают по закону.'],
    ])
  })

  it('keeps cells in their columns where one spans several, or goes on with the one above', async () => {
    const cell = (text: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`
    const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`
    const body = `<w:tbl>${[
      row(cell('Услуга'), cell('Цена', '<w:gridSpan w:val="2"/>'), cell('Срок')),
      row(cell('Уборка'), cell('100'), cell('120'), cell('день', '<w:vMerge w:val="restart"/>')),
      row(cell('Стирка', '<w:gridSpan w:val="2"/>'), cell('90'), cell('', '<w:vMerge/>')),
    ].join('')}</w:tbl>`
    expect((await read(makeDocx({ body }), 'docx')).bodies).toEqual([
      'Услуга | Цена | Цена | Срок\nУборка | 100 | 120 | день\nСтирка | Стирка | 90 | день',
    ])
  })

  it('keeps the targets of links that are fields', async () => {
    const part = (kind: string) => `<w:r><w:fldChar w:fldCharType="${kind}"/></w:r>`
    const field = (instruction: string, text: string) =>
      `${part('begin')}<w:r><w:instrText> ${instruction} </w:instrText></w:r>${part('separate')}<w:r><w:t>${text}</w:t></w:r>${part('end')}`
    const simple =
      '<w:fldSimple w:instr=" HYPERLINK &quot;mailto:a@shop.kz&quot; "><w:r><w:t>write</w:t></w:r></w:fldSimple>'
    const body = `<w:p>${field('HYPERLINK "tel:+77010000001" \\o "hint"', 'Call')}<w:r><w:t xml:space="preserve"> or </w:t></w:r>${simple}</w:p><w:p>${field('PAGE', 'Page 3')}</w:p>`
    expect((await read(makeDocx({ body }), 'docx')).bodies).toEqual([
      'Call (+77010000001) or write (a@shop.kz)\nPage 3',
    ])
  })

  it('keeps the targets of links', async () => {
    const link = (id: string, text: string) => `<w:hyperlink r:id="${id}"><w:r><w:t>${text}</w:t></w:r></w:hyperlink>`
    const body = `<w:p>${link('r1', 'Call us')}<w:r><w:t xml:space="preserve"> or </w:t></w:r>${link('r2', 'info@shop.example')}</w:p>`
    const relations =
      '<R><Relationship Id="r1" Target="tel:+77010000001"/><Relationship Id="r2" Target="mailto:info@shop.example"/></R>'
    const file = zipSync({ ...unzipSync(makeDocx({ body })), 'word/_rels/document.xml.rels': strToU8(relations) })
    expect((await read(file, 'docx')).bodies).toEqual(['Call us (+77010000001) or info@shop.example'])
  })

  it('marks struck text as old, in a run, by a style, and when it is divided among runs', async () => {
    const run = (text: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`
    const { bodies } = await read(
      makeDocx({
        styles: '<w:style w:styleId="Old"><w:rPr><w:strike/></w:rPr></w:style>',
        body: `<w:p>${run('Чай ')}${run('1 0', '<w:strike/>')}${run('00', '<w:dstrike/>')}${run(' 700')}</w:p>
          <w:p>${run('Кофе ')}${run('900', '<w:rStyle w:val="Old"/>')}${run(' 500', '<w:strike w:val="0"/>')}</w:p>`,
      }),
      'docx',
    )
    expect(bodies).toEqual(['Чай (старая цена: 1 000) 700\nКофе (старая цена: 900) 500'])
  })

  it('leaves out what was hidden or deleted, says how much, and reads it where that is asked for', async () => {
    const row = (text: string, properties = '') =>
      `<w:tr><w:trPr>${properties}</w:trPr><w:tc>${paragraph(text)}</w:tc><w:tc>${paragraph('100')}</w:tc></w:tr>`
    const file = makeDocx({
      body: `${paragraph('Seen')}${paragraph('Margin', '', '<w:vanish/>')}<w:p><w:del><w:r><w:delText>Gone</w:delText></w:r></w:del></w:p>
        <w:tbl>${row('Plan')}${row('Old plan', '<w:del w:id="3"/>')}${row('Secret plan', '<w:hidden/>')}${row('New plan')}</w:tbl>`,
    })
    const { bodies, warnings } = await read(file, 'docx')
    expect(bodies).toEqual(['Seen', 'Plan | 100\nNew plan | 100'])
    const counts = { rows: 1, texts: 1, deletions: 2 }
    expect(warnings).toEqual([{ kind: 'hidden', counts, isIncluded: false }])
    const all = await parse(file, 'docx', PARSE_LIMITS, { includeHidden: true })
    expect(all.chunks.map(({ body }) => body)).toEqual([
      'Seen\nMargin\n(outdated: Gone)',
      'Plan | 100\n(outdated: Old plan) | (old price: 100)\nSecret plan | 100\nNew plan | 100',
    ])
    expect(all.warnings).toEqual([{ kind: 'hidden', counts, isIncluded: true }])
  })

  it('reads no entity that the document defines', async () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>'
    const document = zipSync({ 'word/document.xml': strToU8(`${bomb}<w:p><w:r><w:t>x&b;y</w:t></w:r></w:p>`) })
    expect((await read(document, 'docx')).bodies).toEqual(['x&b;y'])
  })
})

describe('PDF', () => {
  it('joins lines to paragraphs, names pages, and takes larger type for headings', async () => {
    const { chunks, pageCount } = await read(
      makePdf([
        {
          texts: [
            { text: 'Правила доставки', y: 750, size: 20 },
            { text: 'Мы доставляем заказы по всей России кроме самых отда-', y: 700 },
            { text: 'лённых мест страны.', y: 685 },
          ],
        },
        { texts: [{ text: RUSSIAN, y: 750 }] },
      ]),
      'pdf',
    )
    expect(pageCount).toBe(2)
    expect(chunks[0]).toMatchObject({ path: 'Правила доставки', page: 1 })
    expect(chunks[0]?.body).toContain('кроме самых отдалённых мест страны.')
    expect(chunks.map(({ body }) => body).join(' ')).toContain(RUSSIAN)
  })

  it('keeps the targets of links', async () => {
    const texts = [
      { text: 'Write to us in the messenger at any time', y: 700 },
      { text: RUSSIAN, y: 600 },
    ]
    const links = [{ url: 'https://wa.me/77010000001', y: 700 }]
    expect((await read(makePdf([{ texts, links }]), 'pdf')).bodies.join('\n')).toContain(
      'at any time (https://wa.me/77010000001)',
    )
  })

  it('rebuilds table rows from columns', async () => {
    const texts = [
      ['Город', 'Цена'],
      ['Пермь', '300'],
      ['Омск', '450'],
    ].flatMap(([city = '', price = ''], row) => [
      { text: city, x: 50, y: 700 - row * 15 },
      { text: price, x: 300, y: 700 - row * 15 },
    ])
    const { bodies } = await read(makePdf([{ texts: [{ text: RUSSIAN, y: 760 }, ...texts] }]), 'pdf')
    expect(bodies).toContain('Город | Цена\nПермь | 300\nОмск | 450')
  })

  it('leaves running headers and page numbers out', async () => {
    const pages = Array.from({ length: 6 }, (_, page) => ({
      texts: [
        { text: 'ООО Ромашка', y: 780 },
        { text: `${RUSSIAN} Раздел ${String.fromCharCode(1040 + page)}.`, y: 600 },
        { text: 'Ещё одна строка в середине', y: 400 },
        { text: `Последняя строка ${String.fromCharCode(1040 + page)}`, y: 300 },
        { text: `Страница ${page + 1}`, y: 20 },
      ],
    }))
    const { bodies, warnings } = await read(makePdf(pages), 'pdf')
    const text = bodies.join('\n')
    expect(warnings).toEqual([{ kind: 'running_lines', count: 6, sample: 'ООО Ромашка' }])
    expect(text).not.toMatch(/Ромашка|Страница/)
    expect(text.match(/Ещё одна строка/g)?.length).toBeGreaterThanOrEqual(6)
  })

  it('keeps lines at the edges of pages that differ in more than the number of the page', async () => {
    const sheets = Array.from({ length: 5 }, (_, at) => ({
      texts: [
        { text: `Kettle ${'ABCDE'[at]}`, y: 760, size: 18 },
        { text: 'Wash by hand and keep dry after use', y: 700 },
        { text: `Price: ${4990 + at * 1010} tenge`, y: 660 },
        { text: `Warranty: ${12 + at} months`, y: 640 },
      ],
    }))
    const { bodies, warnings } = await read(makePdf(sheets), 'pdf')
    expect(bodies[1]).toBe('Wash by hand and keep dry after use\nPrice: 6000 tenge\nWarranty: 13 months')
    expect(warnings).toEqual([])
  })

  it('repairs glyph numbers that are shifted Russian letters', async () => {
    const glyphOf = (code: number) => (code >= 0x410 ? code - 0x3d6 : code - 0x1d)
    const { bodies } = await read(
      makePdf([{ texts: [{ text: RUSSIAN, y: 700 }] }], { glyphOf, isUnexplained: true }),
      'pdf',
    )
    expect(bodies).toEqual([RUSSIAN])
  })

  it('refuses a text layer that stays garbage, and names the pages when there are others', async () => {
    const glyphOf = (code: number) => (code % 20) + 1
    const bad = { texts: [{ text: RUSSIAN, y: 700 }] }
    await refusal(makePdf([bad], { glyphOf, isUnexplained: true }), 'pdf').toMatchObject({
      reason: 'unreadable_text_layer',
    })
    const mixed = (code: number) => (code < 0x400 ? code : glyphOf(code))
    const english = { texts: [{ text: 'The delivery takes two working days in any city.', y: 700 }] }
    const { warnings } = await read(makePdf([english, bad], { glyphOf: mixed, isUnexplained: true }), 'pdf')
    expect(warnings).toEqual([{ kind: 'unreadable_text_layer', pages: [2] }])
  })

  it('takes a scan in without passages and says why, and names the scanned pages of a mixed file', async () => {
    expect(await read(makePdf([{ hasImage: true }]), 'pdf')).toMatchObject({
      bodies: [],
      warnings: [{ kind: 'no_text_layer', pages: [1] }],
    })
    const { warnings } = await read(makePdf([{ texts: [{ text: RUSSIAN, y: 700 }] }, { hasImage: true }]), 'pdf')
    expect(warnings).toEqual([{ kind: 'no_text_layer', pages: [2] }])
  })

  it('reads as many pages as allowed and says how many', async () => {
    const { warnings, pageCount } = await read(makeTextPdf(Array.from({ length: 60 }, () => RUSSIAN)), 'pdf', {
      ...PARSE_LIMITS,
      pages: 2,
    })
    expect(pageCount).toBeGreaterThan(2)
    expect(warnings).toEqual([{ kind: 'limit_reached', limit: 'pages', kept: 2 }])
  })
})

describe('refusals', () => {
  const ole = (name: string) =>
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from(name, 'utf16le')])
  const docx = makeDocx({ body: paragraph('Текст') })
  const zeros = zipSync({ 'word/document.xml': [new Uint8Array(3_000_000), { level: 9 }] })

  it.each<[string, string | Uint8Array, DocumentFormat]>([
    ['password_protected', makePdf([{ texts: [{ text: RUSSIAN, y: 700 }] }], { isEncrypted: true }), 'pdf'],
    ['password_protected', ole('EncryptedPackage'), 'docx'],
    ['type_mismatch', ole('WordDocument'), 'docx'],
    ['type_mismatch', docx, 'pdf'],
    ['type_mismatch', makePdf([{}]), 'txt'],
    ['type_mismatch', 'просто текст', 'pdf'],
    ['type_mismatch', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 1, 2, 3), 'md'],
    ['type_mismatch', '{\\rtf1 text}', 'txt'],
    ['type_mismatch', zipSync({ '[Content_Types].xml': strToU8('<T/>'), 'xl/workbook.xml': strToU8('<w/>') }), 'docx'],
    ['damaged', Buffer.from([1, 2, 3, 0, 4, 5, 0, 6]), 'docx'],
    ['damaged', Buffer.from([1, 2, 3, 0, 4, 5, 0, 6]), 'xlsx'],
    ['damaged', Buffer.from([1, 2, 3, 0, 4, 5, 0, 6]), 'pdf'],
    ['damaged', zipSync({ '[Content_Types].xml': strToU8('<T/>'), 'word/styles.xml': strToU8('<w/>') }), 'docx'],
    ['type_mismatch', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 1, 2, 3), 'docx'],
    ['damaged', docx.subarray(0, docx.length - 30), 'docx'],
    ['damaged', zipSync({ 'readme.txt': strToU8('x') }), 'docx'],
    ['damaged', '%PDF-1.7 and nothing else', 'pdf'],
    ['too_large', zeros, 'docx'],
    ['empty', '  \n\n ', 'txt'],
    ['empty', '<html><script>1</script></html>', 'html'],
    ['empty', makeDocx({ body: '' }), 'docx'],
    ['empty', makePdf([{}]), 'pdf'],
  ])('%s (%#)', async (reason, content, format) => {
    await refusal(content, format).toMatchObject({ reason })
  })

  it('too_large for too many entries, a too large entry, and too much together', async () => {
    const zip = (over: Partial<ParseLimits['zip']>) => ({ ...PARSE_LIMITS, zip: { ...PARSE_LIMITS.zip, ...over } })
    for (const limits of [zip({ entries: 3 }), zip({ entryBytes: 100 }), zip({ totalBytes: 200 })]) {
      await refusal(docx, 'docx', limits).toMatchObject({ reason: 'too_large' })
    }
  })

  it('damaged when an entry gives more than the directory promises', async () => {
    const lying = Buffer.from(zipSync({ 'word/document.xml': strToU8(`<w:p>${'x'.repeat(5000)}</w:p>`) }))
    const directory = lying.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    lying.writeUInt32LE(10, directory + 24)
    await refusal(lying, 'docx').toMatchObject({ reason: 'damaged' })
  })
})

// What other programs write as Markdown: tables without bars at their ends, escaped marks, addresses in angle brackets.
import { expect, it } from 'vitest'
import { parseMarkdown } from './markdown.ts'

const read = (text: string) => parseMarkdown(Buffer.from(text)).blocks.map((block) => block.text)

it.each([
  ['no bars at the ends', 'Товар | Цена\n--- | ---\nЧай | 500\nСок | 300'],
  ['a bar at the beginning', '|Товар | Цена\n|:---|---:\n|Чай | 500\n|Сок | 300'],
  ['both', '| Товар | Цена |\n|---|---|\n| Чай | 500 |\n| Сок | 300 |'],
])('a table whose rows have %s is one', (_, table) => {
  const { blocks } = parseMarkdown(Buffer.from(`Прайс\n\n${table}\n\nКонец | начало`))
  expect(blocks.map((block) => [block.kind, block.text, block.kind === 'row' ? block.header : ''])).toEqual([
    ['text', 'Прайс', ''],
    ['row', 'Чай | 500', 'Товар | Цена'],
    ['row', 'Сок | 300', 'Товар | Цена'],
    ['text', 'Конец | начало', ''],
  ])
})

it('a bar in code or in a sentence makes no table', () => {
  expect(read('Да | нет\n\n```\na | b\n--- | ---\n```')).toEqual(['Да | нет', 'a | b', '--- | ---'])
})

it.each([
  ['10:00\\-18:00, \\+7 701 111 22 33', '10:00-18:00, +7 701 111 22 33'],
  ['Цена 5\\*3 \\# \\[x\\]', 'Цена 5*3 # [x]'],
  ['\\*без курсива\\* и *курсив*', '*без курсива* и курсив'],
  ['<https://a.kz> и <a@b.kz>', 'https://a.kz и a@b.kz'],
])('%s reads as %s', (written, text) => {
  expect(read(written)).toEqual([text])
})

// What chunks keep together, where they are cut, and what they say of their place.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Block } from './blocks.ts'
import { CHUNK_OPTIONS, cutChunks, extractedText } from './chunker.ts'
import { sentencesOf } from './sentences.ts'

const text = (content: string, page: number | null = null): Block => ({ kind: 'text', text: content, page })
const heading = (level: number, content: string): Block => ({ kind: 'heading', level, text: content, page: null })
const item = (content: string): Block => ({ kind: 'item', text: content, page: null })
const row = (header: string, content: string): Block => ({ kind: 'row', header, text: content, page: null })
const sentences = (content: string) => sentencesOf(content).map(({ start, end }) => content.slice(start, end))
const manySentences = (count: number) =>
  Array.from({ length: count }, (_, n) => `Предложение номер ${n} рассказывает о доставке заказа в срок.`).join(' ')

describe('sentences', () => {
  it.each([
    ['Заказ принят. Ждите звонка! Когда? Завтра.', 4],
    ['Офис на ул. Ленина, д. 5, т. е. рядом с метро. Вход со двора.', 2],
    ['Цена 500 руб. 50 коп. за штуку. Скидок нет.', 2],
    ['Автор А. С. Пушкин родился в 1799 г. в Москве. Он поэт.', 2],
    ['Он сказал: «Приходите завтра.» «Хорошо», — ответила она.', 2],
    ['Use a tool, e.g. Excel. Then save.', 2],
    ['Версия 2.5.7 вышла 01.02.2026 утром.', 1],
    ['Ждём… Потом едем.', 2],
  ])('%j has %i', (content, count) => {
    expect(sentences(content)).toHaveLength(count)
  })
})

describe('cutChunks', () => {
  it('packs whole sentences up to the target and repeats the last of them', () => {
    const chunks = cutChunks([text(manySentences(60))])
    expect(chunks.length).toBeGreaterThan(3)
    for (const [index, chunk] of chunks.entries()) {
      expect(chunk.body.length).toBeLessThanOrEqual(CHUNK_OPTIONS.target)
      expect(chunk.body).toMatch(/^Предложение .*срок\.$/su)
      const previous = chunks[index - 1]
      if (previous) expect(previous.endOffset).toBeGreaterThan(chunk.startOffset)
    }
  })

  it('crosses no heading and names the path to it', () => {
    const chunks = cutChunks([
      heading(1, 'Договор'),
      text('Общие слова.'),
      heading(2, 'Оплата'),
      text('Оплата картой.'),
      heading(2, 'Возврат'),
      text('Возврат за 14 дней.'),
      heading(1, 'Приложение'),
      text('Список.'),
    ])
    expect(chunks.map(({ headingPath, body }) => [headingPath.join(' / '), body])).toEqual([
      ['Договор', 'Общие слова.'],
      ['Договор / Оплата', 'Оплата картой.'],
      ['Договор / Возврат', 'Возврат за 14 дней.'],
      ['Приложение', 'Список.'],
    ])
  })

  it('keeps a heading that has nothing under it as text of its own', () => {
    const chunks = cutChunks([heading(1, 'Меню'), heading(2, 'Борщ 300 руб.'), heading(2, 'Плов 400 руб.')])
    expect(chunks.map(({ headingPath, body }) => [headingPath, body])).toEqual([
      [['Меню'], 'Борщ 300 руб.'],
      [['Меню'], 'Плов 400 руб.'],
    ])
  })

  it('keeps a question with its answer and apart from the next pair', () => {
    const chunks = cutChunks([
      text('Вопрос: Как оплатить?'),
      text('Ответ: Картой.'),
      text('Или наличными.'),
      text('В: Есть доставка?'),
      text('О: Да.'),
    ])
    expect(chunks.map((chunk) => chunk.body)).toEqual([
      'Вопрос: Как оплатить?\nОтвет: Картой.\nИли наличными.',
      'В: Есть доставка?\nО: Да.',
    ])
  })

  it('repeats the question in each part of a long answer', () => {
    const chunks = cutChunks([text('Вопрос: Как?'), text(`Ответ: ${manySentences(40)}`)])
    expect(chunks.length).toBeGreaterThan(2)
    for (const { body } of chunks) expect(body).toMatch(/^Вопрос: Как\?\n/u)
  })

  it('takes up to ten short rows together, each time under their header', () => {
    const rows = Array.from({ length: 25 }, (_, n) => row('Товар | Цена', `Стул ${n} | ${n * 100}`))
    const chunks = cutChunks(rows)
    expect(chunks).toHaveLength(3)
    for (const { body } of chunks) expect(body).toMatch(/^Товар \| Цена\nСтул /u)
    expect(chunks[0]?.body.split('\n')).toHaveLength(11)
  })

  it('keeps list items whole', () => {
    const items = Array.from({ length: 40 }, (_, n) =>
      item(`Пункт ${n}. Длинное описание пункта. С двумя предложениями.`),
    )
    for (const { body } of cutChunks(items))
      for (const line of body.split('\n')) expect(line).toMatch(/^Пункт .*предложениями\.$/u)
  })

  it('cuts a sentence beyond the maximum at a clause, else between words, else anywhere', () => {
    const clauses = Array.from({ length: 60 }, (_, n) => `условие номер ${n} действует`).join(', ')
    for (const { body } of cutChunks([text(clauses)]).slice(0, -1)) expect(body).toMatch(/,$/)
    const words = cutChunks([text('слово '.repeat(500))])
    for (const { body } of words) expect(body).toMatch(/^слово( слово)*$/u)
    const letters = cutChunks([text('ы'.repeat(2500))])
    expect(letters.map(({ body }) => body.length)).toEqual([1000, 1000, 500])
  })

  it('names the pages on which a chunk begins and ends', () => {
    const chunks = cutChunks([text(manySentences(15), 1), text(manySentences(15), 2)])
    expect(chunks[0]).toMatchObject({ page: 1, lastPage: 1 })
    expect(chunks.at(-1)).toMatchObject({ page: 2, lastPage: 2 })
  })

  it.each([8, 9, 10, 11, 12, 13])('keeps a sentence whole that a page break divides, after %i others', (count) => {
    const start = `${manySentences(count)} Возврат оформляют в том магазине, где вы`
    const chunks = cutChunks([text(start, 1), text(`сделали покупку. ${manySentences(11)}`, 2)])
    const divided = chunks.filter(({ body }) => body.includes('Возврат оформляют') || body.includes('сделали покупку'))
    expect(divided[0]).toMatchObject({ page: 1, lastPage: 2 })
    for (const { body } of divided) expect(body).toContain('магазине, где вы\nсделали покупку.')
  })

  it('never exceeds the maximum, loses no word, and its offsets lead back to the text', () => {
    const words = fc.array(
      fc.constantFrom('Дом', 'дом.', 'т.', 'е.', 'A', 'очень-длинное-слово', '«Да!»', '5', '…', 'x'.repeat(300)),
      {
        maxLength: 200,
      },
    )
    const block = fc.oneof(
      words.map((list) => text(list.join(' '))),
      words.map((list) => item(list.join(' '))),
      words.map((list) => row('Колонка | Цена', list.join(' '))),
      fc.tuple(fc.integer({ min: 1, max: 3 }), fc.string()).map(([level, content]) => heading(level, content)),
    )
    fc.assert(
      fc.property(fc.array(block, { maxLength: 20 }), (blocks) => {
        const source = extractedText(blocks)
        const chunks = cutChunks(blocks)
        const covered = new Set<number>()
        for (const chunk of chunks) {
          expect(chunk.body.length).toBeLessThanOrEqual(CHUNK_OPTIONS.most)
          expect(chunk.body.endsWith(source.slice(chunk.startOffset, chunk.endOffset))).toBe(true)
          for (let at = chunk.startOffset; at < chunk.endOffset; at++) covered.add(at)
        }
        let at = 0
        for (const { kind, text: content } of blocks) {
          if (kind !== 'heading') {
            for (let offset = at; offset < at + content.length; offset++) {
              if (/\S/.test(source[offset] ?? '')) expect(covered.has(offset), `${offset} of ${source}`).toBe(true)
            }
          }
          at += content.length + 1
        }
      }),
      { numRuns: 200 },
    )
  })
})

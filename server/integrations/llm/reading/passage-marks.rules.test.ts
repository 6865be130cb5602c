// Marks of passages are taken out, and honest brackets stay.
import { describe, expect, it } from 'vitest'
import { HONEST } from '#tests/model-answers/honest.ts'
import { settledLength, withoutMarks } from './passage-marks.rules.ts'

const CLEAN = 'Delivery is free.'

describe('marks of passages', () => {
  it.each([
    ['before the full stop', 'Delivery is free [1].', CLEAN, [0]],
    ['behind the word', 'Delivery is free[2].', CLEAN, [1]],
    ['behind the full stop', 'Delivery is free.[1]', CLEAN, [0]],
    ['behind the sentence', 'Delivery is free. [1]', CLEAN, [0]],
    ['two in one', 'Delivery is free [1, 3].', CLEAN, [0, 2]],
    ['two in a row', 'Delivery is free [1][2].', CLEAN, [0, 1]],
    ['two in a row with space', 'Delivery is free [1] [2].', CLEAN, [0, 1]],
    ['in front', '[1] Delivery is free.', CLEAN, [0]],
    ['between sentences', 'Hello. [1] Delivery is free.', 'Hello. Delivery is free.', [0]],
    ['in bold', '**Delivery is free [1]**', '**Delivery is free**', [0]],
    ['in a quotation', '«Delivery is free [1]»', '«Delivery is free»', [0]],
    ['of OpenAI', 'Delivery is free【1†source】.', CLEAN, [0]],
    ['of OpenAI with lines', 'Delivery is free 【4:0†Delivery.pdf】.', CLEAN, []],
    ['of a chat window', 'Delivery is free. :contentReference[oaicite:0]{index=0}', CLEAN, []],
    ['in private characters', 'Delivery is free. \uE200cite\uE202turn0search0\uE201', CLEAN, []],
    ['as a footnote', 'Delivery is free[^1].\n\n[^1]: Delivery.pdf', CLEAN, [0]],
    ['in words', 'Delivery is free (source 2).', CLEAN, [1]],
    ['in words with more', 'Delivery is free (sources: 1, 2).', CLEAN, [0, 1]],
    ['in Russian', 'Доставка бесплатная (источник 1).', 'Доставка бесплатная.', [0]],
    ['in Russian with see', 'Доставка бесплатная (см. фрагмент 2).', 'Доставка бесплатная.', [1]],
    ['of a passage', 'Delivery is free [passage 1].', CLEAN, [0]],
    ['as a tag', 'Delivery is free <cite>1</cite>.', CLEAN, [0]],
    [
      'with a list below',
      'Delivery is free [1].\n\nSources:\n[1] Delivery.pdf, page 2\n[2] Prices.xlsx',
      CLEAN,
      [0, 1],
    ],
    [
      'with a list in Russian',
      'Доставка бесплатная [1].\n\n**Источники:**\n1. Доставка.pdf',
      'Доставка бесплатная.',
      [0],
    ],
    ['of a passage that was not given', 'Delivery is free [9].', CLEAN, []],
    ['next to code', 'Use `items[1]` [1].', 'Use `items[1]`.', [0]],
  ] as const)('%s', (_, sent, text, named) => {
    const read = withoutMarks(sent, 3)
    expect(read.text).toBe(text)
    expect(read.named.toSorted()).toEqual(named)
  })

  it('that point to nothing stay where no passages were given, those of other products do not', () => {
    expect(withoutMarks('See [1].', 0).text).toBe('See [1].')
    expect(withoutMarks('Delivery is free【1†source】.', 0).text).toBe(CLEAN)
  })

  it.each([
    ...HONEST,
    ['a list to choose from', '[1] Red\n[2] Blue\n[3] Green'],
    ['an index that is written', 'Set items[1] = 5 first.'],
    ['a year', 'Since [2024] it is free.'],
    ['a link by number', 'See [1](https://shop.example).'],
    ['a range', 'x in [1, 2] = ok'],
    ['a room', 'Room (12), floor (3).'],
    ['a source in words', 'The source (2 litres an hour) is clean.'],
    ['a document', 'Bring the documents (passport, card).'],
  ] as [string, string][])('leave alone: %s', (_, text) => {
    expect(withoutMarks(text, 5).text).toBe(text)
  })

  it('wait in a stream until they are known', () => {
    const sent = 'Delivery is free [1].'
    const shown = Array.from({ length: sent.length }, (_, at) => sent.slice(0, at)).map((part) =>
      part.slice(0, settledLength(part)),
    )
    expect(shown.map((part) => withoutMarks(part, 3).text).filter((part) => part.includes('['))).toEqual([])
  })
})

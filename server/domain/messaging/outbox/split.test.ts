// An answer as several messages: like a person writes, and nothing torn apart.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MESSAGES_AT_MOST, paceParts, splitReply } from './split.ts'

const byParagraph = (text: string, max = 4096) => splitReply(text, max, true)

describe('an answer that is split by paragraphs', () => {
  it('is sent as one message for each, without the empty lines', () => {
    expect(byParagraph('Hello!\n\nYes, we have it.\n \n\nAnything else?')).toEqual([
      'Hello!',
      'Yes, we have it.',
      'Anything else?',
    ])
  })

  const wholes: [string, string][] = [
    ['a list with empty lines in it', '- one\n\n- two\n\n  more of two\n- three'],
    ['numbered steps', '1. Open the page\n\n2. Press the button'],
    ['a code block with empty lines in it', '```ts\nconst a = 1\n\nconst b = 2\n```'],
    ['a code block between tildes', '~~~\na\n\n```\n\nb\n~~~'],
    ['a code block that is never closed', '```\na\n\nb'],
    ['a lead-in and its list', 'We have:\n\n- tea\n- coffee'],
    ['a heading and its paragraph', '## Delivery\n\nWe deliver everywhere.'],
    ['a bold line and its paragraph', '**Delivery**\n\nWe deliver everywhere.'],
    ['a paragraph and the targets of its links', 'See [the page][1].\n\n[1]: https://example.com/a'],
  ]
  it.each(wholes)('keeps %s together', (_, whole) => {
    expect(byParagraph(`Before.\n\n${whole}`)).toEqual(['Before.', whole])
  })

  it('ends a list where a paragraph begins', () => {
    expect(byParagraph('- one\n- two\n\nThat is all.')).toEqual(['- one\n- two', 'That is all.'])
  })

  it('has only so many messages: the shortest neighbours are joined', () => {
    const paragraphs = ['first '.repeat(20), 'b', 'c', 'second '.repeat(20), 'third '.repeat(20), 'd', 'e']
    const parts = byParagraph(paragraphs.map((text) => text.trim()).join('\n\n'))
    expect(parts).toHaveLength(MESSAGES_AT_MOST)
    expect(parts[1]).toBe('b\n\nc')
    expect(parts[4]).toBe('d\n\ne')
  })

  it('is not split for a channel that shows it itself, nor when splitting is off', () => {
    expect(splitReply('a\n\nb', null, true)).toEqual([])
    expect(splitReply('a\n\nb', 100)).toEqual(['a\n\nb'])
  })
})

describe('the pace of an answer', () => {
  it('of a person: as long as each part takes to type, within reason', () => {
    const parts = paceParts(['a'.repeat(60), 'Hi', 'a'.repeat(4000)], 'human', 0)
    expect(parts.map((part) => part.delayMs)).toEqual([4000, 1000, 8000])
  })

  it('counts the time in which the answer was made for the first part', () => {
    expect(paceParts(['a'.repeat(60), 'Hi'], 'human', 3000).map((part) => part.delayMs)).toEqual([1000, 1000])
    expect(paceParts(['a'.repeat(60)], 'human', 30_000)).toEqual([{ text: 'a'.repeat(60), delayMs: 0 }])
  })

  it('is none when pacing is off', () => {
    expect(paceParts(['a', 'b'], 'instant', 0).map((part) => part.delayMs)).toEqual([0, 0])
  })
})

const word = fc.constantFrom(
  'tea',
  'чай',
  'price',
  'delivery',
  'https://example.com/a_long/path?x=1',
  '[our page](https://example.com)',
)
const sentence = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => `${words.join(' ')}.`)
const paragraph = fc.array(sentence, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'))
const list = fc
  .tuple(
    fc.array(sentence, { minLength: 1, maxLength: 5 }),
    fc.constantFrom('\n', '\n\n'),
    fc.constantFrom('-', '*', '1.'),
  )
  .map(([items, gap, mark]) => items.map((item) => `${mark} ${item}`).join(gap))
const code = fc
  .array(fc.constantFrom('let a = 1', '', '- not a list', '# not a heading', '  indented'), {
    minLength: 1,
    maxLength: 8,
  })
  .map((lines) => `\`\`\`ts\n${lines.join('\n')}\nend\n\`\`\``)
/** Between two of them a paragraph: lists that follow each other are one list. */
const blocks = fc
  .array(fc.tuple(paragraph, fc.oneof(paragraph, list, code)), { minLength: 1, maxLength: 6 })
  .map((pairs) => pairs.flat())

describe('any answer', () => {
  it('is sent whole and in order, in parts that the channel takes, with lists, links and code in one piece', () => {
    fc.assert(
      fc.property(blocks, fc.integer({ min: 1000, max: 4096 }), fc.boolean(), (written, max, isByParagraph) => {
        fc.pre(written.every((block) => block.length <= max)) // what is longer cannot stay in one piece
        const text = written.join('\n\n')
        const parts = splitReply(text, max, isByParagraph)
        expect(parts.join('\n\n')).toBe(text)
        expect(parts.every((part) => part.length <= max)).toBe(true)
        for (const block of written) expect(parts.some((part) => part.includes(block))).toBe(true)
      }),
    )
  })

  it('that the channel takes in a few messages is sent in no more of them than a person would write', () => {
    fc.assert(
      fc.property(blocks, (written) => {
        expect(splitReply(written.join('\n\n'), 100_000, true).length).toBeLessThanOrEqual(MESSAGES_AT_MOST)
      }),
    )
  })

  it('loses no word, whatever it looks like', () => {
    const mess = fc.array(
      fc.constantFrom('word', '\n', '\n\n', '```', '- ', '1. ', ':', '**b**', '  ', '~~~', '[1]: x'),
      {
        maxLength: 60,
      },
    )
    const words = (text: string) => text.split(/\s+/).filter(Boolean)
    fc.assert(
      fc.property(mess, (pieces) => {
        expect(words(splitReply(pieces.join(''), 4096, true).join('\n'))).toEqual(words(pieces.join('')))
      }),
    )
  })
})

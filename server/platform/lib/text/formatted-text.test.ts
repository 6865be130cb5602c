// Markdown as messengers show it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitReply } from '#server/domain/messaging/outbox/split.ts'
import { TELEGRAM_TEXT_MAX } from '#shared/limits.ts'
import { formatMarkdown } from './formatted-text.ts'

/** The stretches with their words. */
function stretches(source: string) {
  const { text, entities } = formatMarkdown(source)
  return entities.map(({ type, offset, length, ...more }) => [type, text.slice(offset, offset + length), more])
}

describe('formatMarkdown', () => {
  it.each([
    ['plain words', 'plain words'],
    ['one\ntwo\n\nthree', 'one\ntwo\n\nthree'],
    ['- one\n- two\n  - inner', '• one\n• two\n  • inner'],
    ['3. three\n4. four', '3. three\n4. four'],
    ['- [x] done\n- [ ] open', '☑ done\n☐ open'],
    ['above\n\n---\n\nbelow', 'above\n\n———\n\nbelow'],
    ['<b>a</b> & 2 < 3', 'a & 2 < 3'],
    ['<phone> & 2 < 3', '<phone> & 2 < 3'],
    ['snake_case_name costs ~5~', 'snake_case_name costs ~5~'],
    ['[mail](mailto:a@b.kz)', 'mail (mailto:a@b.kz)'],
    ['a@b.kz', 'a@b.kz'],
    ['| a | bb |\n|---|---|\n| ccc | d |', 'a    bb\nccc  d'],
    ['\\*not bold\\*', '*not bold*'],
    ['[x]: https://a.kz', '[x]: https://a.kz'],
  ])('shows %j as %j', (source, shown) => {
    expect(formatMarkdown(source).text).toBe(shown)
  })

  it('shows a text without any signs of Markdown as the whole reading of it would', () => {
    const pieces = ['слово', 'a', '1', '2.', '1)', ...'-+=.!:"$^% \n\f\u00a0', '--']
    const text = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (source) => {
        fc.pre(source.trim() !== '')
        // What is added shows nowhere, and has all of it read. A reading that leaves nothing shows what was written.
        const added = `${source}\n\n[x]: /`
        const read = formatMarkdown(added)
        expect(formatMarkdown(source)).toEqual(read.text === added ? { text: source, entities: [] } : read)
      }),
      { numRuns: 1000, examples: [['\f\n:-']] },
    )
  })

  it.each([
    [
      '**bold** and *thin*',
      [
        ['bold', 'bold', {}],
        ['italic', 'thin', {}],
      ],
    ],
    [
      '**bold _both_**',
      [
        ['bold', 'bold both', {}],
        ['italic', 'both', {}],
      ],
    ],
    [
      '~~gone~~ `code`',
      [
        ['strikethrough', 'gone', {}],
        ['code', 'code', {}],
      ],
    ],
    ['# Title', [['bold', 'Title', {}]]],
    ['```js\nlet a = 1\n```', [['pre', 'let a = 1', { language: 'js' }]]],
    ['> said\n> > before', [['blockquote', 'said\nbefore', {}]]],
    ['[page](https://a.kz/x_y)', [['text_link', 'page', { url: 'https://a.kz/x_y' }]]],
    ['[page][1]\n\n[1]: https://a.kz', [['text_link', 'page', { url: 'https://a.kz' }]]],
    ['https://a.kz/x_y_z', []],
    ['😀 **смело**', [['bold', 'смело', {}]]],
  ])('marks %j', (source, marked) => {
    expect(stretches(source)).toEqual(marked)
  })

  const word = fc.constantFrom(
    'word',
    'слово',
    '😀',
    '2*3',
    '[link](https://a.kz/b_c)',
    '**bold',
    'x**',
    '`code`',
    '| a |',
    '~~',
  )
  const line = fc.tuple(
    fc.constantFrom('', '- ', '1. ', '> ', '# ', '```', '    ', '| '),
    fc.array(word, { maxLength: 8 }).map((words) => words.join(' ')),
  )
  const text = fc
    .array(
      line.map((parts) => parts.join('')),
      { minLength: 1, maxLength: 30 },
    )
    .map((lines) => lines.join('\n'))

  it.each(['>'.repeat(10_000), `${'- '.repeat(3000)}a`, `${'['.repeat(5000)}a${']'.repeat(5000)}`])(
    'sends a text as it was written that is too deep to be read',
    (text) => expect(formatMarkdown(text)).toEqual({ text, entities: [] }),
  )

  it('marks nothing outside of the text and loses no word, whatever is written', () => {
    fc.assert(
      fc.property(text, (source) => {
        const { text: shown, entities } = formatMarkdown(source)
        for (const { offset, length } of entities) {
          expect(offset).toBeGreaterThanOrEqual(0)
          expect(length).toBeGreaterThan(0)
          expect(offset + length).toBeLessThanOrEqual(shown.length)
        }
        const count = (of: string, sought: string) => of.split(sought).length - 1
        for (const sought of ['слово', '😀', 'code', 'bold']) expect(count(shown, sought)).toBe(count(source, sought))
      }),
    )
  })

  it('shows every part of a long answer with its links whole and its code as code', () => {
    const blocks = fc.array(
      fc.constantFrom(
        'A sentence with [a page](https://example.kz/a/long/address?with=query) in it. '.repeat(5),
        '- an item\n- another **bold** one\n- https://example.kz/list',
        `\`\`\`js\n${'const a = 1\n'.repeat(20)}\`\`\``,
      ),
      { minLength: 20, maxLength: 60 },
    )
    fc.assert(
      fc.property(blocks, (given) => {
        for (const part of splitReply(given.join('\n\n'), TELEGRAM_TEXT_MAX)) {
          const { text: shown, entities } = formatMarkdown(part)
          expect(shown.length).toBeLessThanOrEqual(TELEGRAM_TEXT_MAX)
          expect(shown).not.toMatch(/```|\]\(|\*\*/)
          for (const entity of entities) {
            if (entity.type === 'text_link') expect(entity.url).toBe('https://example.kz/a/long/address?with=query')
          }
        }
      }),
      { numRuns: 20 },
    )
  })
})

// Long answers in Markdown, cut for a channel: each piece fits, and renders as it did in the whole.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Markup } from '#shared/channels/manifest.ts'
import { repairCut } from './markdown-cut.ts'
import { sentText } from './sent-text.ts'
import { fitsIn, splitText, textLimitOf } from './split-text.ts'

const limitOf = (maxTextLength: number, markup: Markup) => textLimitOf({ maxTextLength, markup })

describe('a cut through Markdown', () => {
  const at = (text: string, mark = '|') => {
    const [head = '', tail = ''] = text.split(mark === '|' ? '¦' : mark)
    return repairCut(`${head} ${tail}`, head, tail)
  }
  it.each([
    ['**one¦two**', '**one**', '**two**'],
    ['a **b _c¦d_ e** f', 'a **b _c_**', '**_d_ e** f'],
    ['`one¦two`', '`one`', '`two`'],
    ['~~one¦two~~', '~~one~~', '~~two~~'],
    ['[one¦two](https://a.kz)', '[one](https://a.kz)', '[two](https://a.kz)'],
    ['> one¦two', '> one', '> two'],
    ['one¦two', 'one', 'two'],
  ])('closes and opens again what is open in %j', (text, piece, remainder) => {
    expect(at(text)).toEqual({ piece, remainder })
  })

  it('repeats the header of a table', () => {
    const [header, one, two] = ['| A | B |\n|---|---|', '| 1 | 2 |', '| 3 | 4 |']
    expect(repairCut(`${header}\n${one}\n${two}`, `${header}\n${one}`, two)).toEqual({
      piece: `${header}\n${one}`,
      remainder: `${header}\n${two}`,
    })
  })
})

describe('an answer that is too long for one message', () => {
  it('is counted as it is sent: an address that is not shown takes no room', () => {
    const links = Array.from({ length: 30 }, (_, at) => `[page ${at}](https://a.kz/${'x'.repeat(100)})`).join(' ')
    expect(splitText(links, limitOf(1000, 'entities'))).toHaveLength(1)
    const wide = `| Name | Price |\n|---|---|\n${'| tea | 1 |\n'.repeat(60)}`
    expect(wide.length).toBeLessThan(1000)
    for (const piece of splitText(wide, limitOf(1000, 'plain'))) {
      expect(sentText(piece, 'plain').length).toBeLessThanOrEqual(1000)
      expect(sentText(piece, 'plain')).toMatch(/^(?:Name: tea · Price: 1\n?)+$/)
    }
  })

  const words = fc.array(fc.constantFrom('tea', 'чай', 'сағат', '4990'), { minLength: 1, maxLength: 40 })
  const line = words.map((each) => each.join(' '))
  const block = fc.oneof(
    line,
    line.map((text) => `**${text}**`),
    line.map((text) => `*a ${text}* and \`${text}\``),
    line.map((text) => `See [${text}](https://a.kz/x_y).`),
    line.map((text) => `> ${text}`),
    fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => lines.map((text) => `- ${text}`).join('\n')),
    fc
      .array(fc.constantFrom('| tea | 4990 |', '| чай | сағат |'), { minLength: 1, maxLength: 30 })
      .map((rows) => `| A | B |\n|---|---|\n${rows.join('\n')}`),
  )
  const markdown = fc.array(block, { minLength: 1, maxLength: 12 }).map((blocks) => blocks.join('\n\n'))
  const WORDS = /tea|чай|сағат|4990/g

  it.each(['plain', 'whatsapp', 'entities', 'html'] as const)(
    'goes out as %s in pieces that fit, with no mark torn apart and every word once',
    (markup) => {
      fc.assert(
        fc.property(markdown, fc.constantFrom(300, 500, 1000), (source, size) => {
          const limit = limitOf(size, markup)
          const pieces = splitText(source, limit)
          for (const piece of pieces) expect(fitsIn(piece, limit)).toBe(true)
          const sent = pieces.map((piece) => sentText(piece, markup)).join('\n')
          expect(sent).not.toMatch(/\*\*|\]\(|\|---|^\| /m)
          if (markup === 'plain') expect(sent).not.toMatch(/[*`]/)
          expect(sent.match(WORDS)).toEqual(source.match(WORDS))
        }),
        { numRuns: 150 },
      )
    },
  )
})

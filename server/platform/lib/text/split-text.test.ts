// Cutting long texts: nothing lost, nothing broken in two that belongs together.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitsIn, splitText, textLimitOf } from './split-text.ts'

const words = (text: string) => text.split(/\s+/).filter(Boolean)

describe('splitText', () => {
  it('leaves a text that fits as it is, and makes nothing of nothing', () => {
    expect(splitText(' short ', 100)).toEqual(['short'])
    expect(splitText(' \n ', 100)).toEqual([])
  })

  it('cuts between paragraphs where it can, else between lines, sentences, words', () => {
    expect(splitText(`${'a'.repeat(60)}\n\n${'b'.repeat(30)}\n${'c'.repeat(30)}`, 100)).toEqual([
      'a'.repeat(60),
      `${'b'.repeat(30)}\n${'c'.repeat(30)}`,
    ])
    expect(splitText(`${'a '.repeat(30)}end. ${'b '.repeat(30)}`, 100)[0]).toMatch(/end\.$/)
    expect(splitText('word '.repeat(50), 100).every((piece) => /^(word ?)+$/.test(piece))).toBe(true)
  })

  it('keeps links whole', () => {
    const link = `https://example.com/${'path-'.repeat(8)}end`
    const markdown = `[a title of several words](${link})`
    for (let before = 0; before < 90; before += 7) {
      const text = `${'x'.repeat(before)} ${link} ${'y '.repeat(40)} ${markdown} ${'z '.repeat(30)}`
      const pieces = splitText(text, 120)
      expect(pieces.some((piece) => piece.includes(link))).toBe(true)
      expect(pieces.some((piece) => piece.includes(markdown))).toBe(true)
    }
  })

  it('closes a code block before a cut and opens it again after', () => {
    const code = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n')
    const pieces = splitText(`Look:\n\`\`\`ts\n${code}\n\`\`\`\nThat is all.`, 120)
    expect(pieces.length).toBeGreaterThan(2)
    for (const piece of pieces)
      expect(piece.match(/^```/gm)?.length ?? 0).toSatisfy((fences: number) => fences % 2 === 0)
    expect(pieces[1]).toMatch(/^```ts\n/)
  })

  it.each([
    ['tildes', '~~~', 'line'],
    ['tildes that name a language', '~~~ts', 'line'],
    ['more marks than there are around code within it', '````md', '```'],
  ])('does so between %s too', (_, opening, line) => {
    const marks = opening.replace(/\w+$/, '')
    const pieces = splitText(`Look:\n${opening}\n${`${line}\n`.repeat(80)}${marks}\nThat is all.`, 120)
    expect(pieces.length).toBeGreaterThan(2)
    for (const piece of pieces.slice(0, -1)) expect(piece.endsWith(`\n${marks}`)).toBe(true)
    for (const piece of pieces.slice(1, -1)) expect(piece.startsWith(`${opening}\n`)).toBe(true)
    expect(pieces.at(-1)).toMatch(/^That is all\.$|\nThat is all\.$/)
  })

  it('cuts a word that is longer than a piece, but no character', () => {
    const pieces = splitText('🙂'.repeat(100), 51)
    expect(pieces.join('')).toBe('🙂'.repeat(100))
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true)
  })

  it('counts bytes where a channel does: Russian texts have half as many letters in a piece, and no character is cut', () => {
    const limit = textLimitOf({ maxTextLength: 1000, maxTextBytes: 1000, markup: 'plain' })
    expect(splitText('x'.repeat(1000), limit)).toHaveLength(1)
    expect(splitText('ы'.repeat(500), limit)).toHaveLength(1)
    expect(splitText('ы'.repeat(501), limit)).toHaveLength(2)
    expect(splitText('слово — '.repeat(300), limit).map((piece) => Buffer.byteLength(piece) <= 1000)).not.toContain(
      false,
    )
    const pieces = splitText('🙂'.repeat(300), limit)
    expect(pieces.join('')).toBe('🙂'.repeat(300))
    expect(pieces.every((piece) => piece.isWellFormed() && fitsIn(piece, limit))).toBe(true)
  })

  it('never makes a piece too long, never loses or repeats a word, and always ends', () => {
    const text = fc.array(fc.constantFrom('word', 'a', 'Длинноеслово', '\n', '\n\n', '.', 'https://e.com/x', ' '), {
      maxLength: 400,
    })
    fc.assert(
      fc.property(text, fc.integer({ min: 40, max: 200 }), (parts, maxLength) => {
        const joined = parts.join(' ')
        for (const limit of [maxLength, { bytes: maxLength }]) {
          const pieces = splitText(joined, limit)
          expect(pieces.every((piece) => fitsIn(piece, limit) && piece.trim() !== '')).toBe(true)
          expect(words(pieces.join(' '))).toEqual(words(joined))
        }
      }),
    )
    const fenced = fc.array(fc.constantFrom('```', '```ts', 'code', '\n', 'x'.repeat(70)), { maxLength: 120 })
    fc.assert(
      fc.property(fenced, (parts) => {
        const pieces = splitText(parts.join('\n'), 100)
        expect(pieces.every((piece) => piece.length <= 100)).toBe(true)
      }),
    )
  })
})

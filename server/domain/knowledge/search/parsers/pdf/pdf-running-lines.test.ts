// Which lines at the edges of pages are headers, footers and page numbers, and which are content that looks like them.
import { describe, expect, it } from 'vitest'
import type { Line, Page } from './pdf-layout.ts'
import { withoutRunningLines } from './pdf-running-lines.ts'

const line = (text: string, y: number): Line => ({ text, cells: text.split(' | '), x: 50, right: 300, y, size: 12 })
const read = (pages: Page[]) => {
  const { pages: kept, ...rest } = withoutRunningLines(pages)
  return { texts: kept.map(({ lines }) => lines.map(({ text }) => text)), ...rest }
}
/** Pages with a body of three lines between what stands at their edges. */
const pages = (count: number, top: (at: number) => string, bottom: (at: number) => string): Page[] =>
  Array.from({ length: count }, (_, at) => ({
    number: at + 1,
    lines: [
      line(top(at), 780),
      ...['one', 'two', 'three'].map((word, row) => line(`${word} ${at}`, 600 - row * 15)),
      line(bottom(at), 20),
    ],
  }))

describe('lines at the edges of pages', () => {
  it('are left out where they are equal on most pages, and counted', () => {
    const { texts, count, sample } = read(
      pages(
        5,
        () => 'Romashka LLC',
        (at) => `Page ${at + 1} of 5`,
      ),
    )
    expect(texts[0]).toEqual(['one 0', 'two 0', 'three 0'])
    expect({ count, sample }).toEqual({ count: 5, sample: 'Romashka LLC' })
  })

  it('are kept once where they say a fact, such as a telephone', () => {
    const { texts, count, sample } = read(
      pages(
        5,
        () => 'Romashka LLC',
        (at) => `Warranty 12 months | Page ${at + 1}`,
      ),
    )
    expect(texts[0]).toEqual(['one 0', 'two 0', 'three 0', 'Warranty 12 months | Page 1'])
    expect(texts[1]).toEqual(['one 1', 'two 1', 'three 1'])
    expect({ count, sample }).toEqual({ count: 9, sample: 'Romashka LLC' })
  })

  it('are content where they differ in digits that are not the number of the page', () => {
    const { texts, count } = read(
      pages(
        5,
        (at) => `Item ${100 + at}`,
        (at) => `Price: ${4990 + at * 10} tenge`,
      ),
    )
    expect(texts[3]).toEqual(['Item 103', 'one 3', 'two 3', 'three 3', 'Price: 5020 tenge'])
    expect(count).toBe(0)
  })

  it('are content where a title counts with the pages', () => {
    expect(
      read(
        pages(
          5,
          (at) => `Lesson ${at + 1}`,
          () => '-',
        ),
      ).texts[1],
    ).toContain('Lesson 2')
  })

  it.each([
    [(at: number) => String(at + 1)],
    [(at: number) => `- ${at + 1} -`],
    [(at: number) => `стр. ${at + 1} из 9`],
    [(at: number) => String(at + 17)],
  ])('are page numbers in any usual spelling (%#)', (number) => {
    const { texts, count } = read(pages(4, (at) => `Title ${'abcd'[at]}`, number))
    expect(texts[2]).toEqual(['Title c', 'one 2', 'two 2', 'three 2'])
    expect(count).toBe(0)
  })

  it('are running lines that hold the number of the page', () => {
    const { texts, sample } = read(
      pages(
        4,
        (at) => `Title ${'abcd'[at]}`,
        (at) => `Romashka LLC | ${at + 1}`,
      ),
    )
    expect(texts[2]).toEqual(['Title c', 'one 2', 'two 2', 'three 2'])
    expect(sample).toBe('Romashka LLC | 1')
  })

  it('are content where they follow the text without a gap, also when all pages say the same', () => {
    const sheets = Array.from({ length: 5 }, (_, at) => ({
      number: at + 1,
      lines: [line(`Kettle ${at}`, 760), line('Warranty: 12 months', 740), line('Delivery: 2 days', 720)],
    }))
    expect(read(sheets).texts[4]).toEqual(['Kettle 4', 'Warranty: 12 months', 'Delivery: 2 days'])
  })

  it('never take the whole of a page', () => {
    const sheets = Array.from({ length: 5 }, (_, at) => ({
      number: at + 1,
      lines: [line('Sale', 700), line('50%', 90)],
    }))
    expect(read(sheets)).toEqual({ texts: sheets.map(() => ['Sale', '50%']), count: 0, sample: '' })
  })
})

// Tables that are written for spreadsheets.
import { describe, expect, it } from 'vitest'
import { csvRow, readCsv } from './csv.ts'

const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹢', '﹣', '−', '|', '%']
const SKIPPED = ['', ' ', '\u00A0', '\u200B', '\uFEFF', '\u202E', '\t ', "'", "''"]
const CONTROLS = ['\t', '\r', '\n', '\0']

describe('a row', () => {
  it.each(SIGNS)('does not begin a cell with %j, also behind what a spreadsheet skips', (sign) => {
    for (const skipped of SKIPPED) expectInert(`${skipped}${sign}1+1`)
  })

  it.each(CONTROLS)('does not begin a cell with %j', (control) => expectInert(`${control}1+1`))

  it.each([',', ';'] as const)('reads back as it was, divided by %j', (delimiter) => {
    const cells = ['plain', 'a "word"', "rock 'n' roll", "'quoted'", 'two\nlines', 'one, two; three', '', '5 – 6']
    expect(readCsv(csvRow(cells, delimiter) + csvRow(cells, delimiter))).toEqual([cells, cells])
  })
})

/** Expects an apostrophe before it, and no other change. */
function expectInert(cell: string): void {
  expect(readCsv(csvRow([cell, 'x'], ','))).toEqual([[`'${cell}`, 'x']])
}

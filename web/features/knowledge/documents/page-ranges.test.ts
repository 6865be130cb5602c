// Page numbers in a warning.
import { expect, it } from 'vitest'
import { pageRanges } from './page-ranges.ts'

it.each<[number[], string]>([
  [[], ''],
  [[4], '4'],
  [[1, 2, 3, 7], '1–3, 7'],
  [[9, 2, 8, 2], '2, 8–9'],
])('pages %j read %j', (pages, text) => {
  expect(pageRanges(pages)).toBe(text)
})

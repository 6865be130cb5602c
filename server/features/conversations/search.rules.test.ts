// What is typed into the search of the inbox, and what is found, in the form that people read.
import { describe, expect, it } from 'vitest'
import { MARKS, nameQuery, toPieces } from './search.rules.ts'

describe('the query for names', () => {
  it('takes each word as a beginning, and nothing but words', () => {
    expect(nameQuery("Анна O'Neil & !")).toBe("'Анна':* & 'O':* & 'Neil':*")
    expect(nameQuery(' … ')).toBeNull()
  })
})

describe('an excerpt', () => {
  it('is cut at the marks', () => {
    const marked = `where is my ${MARKS.start}order${MARKS.stop}, my ${MARKS.start}order${MARKS.stop}`
    expect(toPieces(marked)).toEqual([
      { text: 'where is my ', isMatch: false },
      { text: 'order', isMatch: true },
      { text: ', my ', isMatch: false },
      { text: 'order', isMatch: true },
    ])
  })

  it('is whole without any', () => {
    expect(toPieces('plain')).toEqual([{ text: 'plain', isMatch: false }])
  })
})

// Notes out of rows.
import { describe, expect, it } from 'vitest'
import { FRAGMENT_NAME_MAX } from '#shared/limits.ts'
import { guessColumns, readNotes } from './import.rules.ts'

describe('columns', () => {
  it.each([
    [['Вопрос', 'Ответ', 'Другие формулировки'], { hasHeader: true, name: 0, content: 1, wordings: 2 }],
    [['id', 'Answer', 'Question'], { hasHeader: true, name: 2, content: 1, wordings: null }],
    [['Где парковка?', 'Во дворе.'], { hasHeader: false, name: 0, content: 1, wordings: null }],
    [[], { hasHeader: false, name: 0, content: 1, wordings: null }],
  ])('of %j', (row, columns) => {
    expect(guessColumns([row])).toEqual(columns)
  })
})

describe('rows', () => {
  const columns = { hasHeader: true, name: 0, content: 1, wordings: 2 }

  it('become notes, with each wording once', () => {
    const rows = [
      ['q', 'a', 'w'],
      [' Где? ', 'Тут.', 'Как найти?| Адрес;Адрес\n'],
      ['', '', ''],
    ]
    expect(readNotes(rows, columns)).toEqual({
      notes: [{ name: 'Где?', content: 'Тут.', alsoAskedAs: ['Как найти?', 'Адрес'] }],
      errors: [],
    })
  })

  it('say what is wrong with them by the number that a spreadsheet shows', () => {
    const rows = [['q', 'a'], ['', 'x'], ['y'], ['z'.repeat(FRAGMENT_NAME_MAX + 1), 'x'], ['Да', '1'], ['да', '2']]
    const { notes, errors } = readNotes(rows, columns)
    expect(notes).toEqual([{ name: 'Да', content: '1', alsoAskedAs: [] }])
    expect(errors.map(({ row, problem }) => [row, problem])).toEqual([
      [2, 'nameMissing'],
      [3, 'contentMissing'],
      [4, 'nameTooLong'],
      [6, 'repeated'],
    ])
  })
})

// Lines of the "also asked as" box.
import { expect, it } from 'vitest'
import { wordingsOf } from './notes.rules.ts'

it('takes each line once, without spaces and empty lines', () => {
  expect(wordingsOf('  How long?\n\nWhen?\r\nHow long?\n ')).toEqual(['How long?', 'When?'])
  expect(wordingsOf('\n \n')).toEqual([])
})

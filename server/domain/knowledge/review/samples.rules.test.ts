// Questions that the tester begins with.
import { expect, it } from 'vitest'
import { samplesOf } from './samples.rules.ts'

const nothing = { notes: [], headings: [], documents: [] }

it('begins with three notes, goes on with headings and documents, and fills up with further notes', () => {
  const notes = ['Where are you?', 'Do you deliver?', 'Can I return it?', 'Is there parking?']
  expect(samplesOf({ notes, headings: ['Warranty'], documents: [] })).toEqual([
    'Where are you?',
    'Do you deliver?',
    'Can I return it?',
    'Warranty',
    'Is there parking?',
  ])
})

it('offers at most five, each once', () => {
  const headings = ['Prices', 'prices ', 'Hours', 'Address', 'Phone', 'Team', 'Jobs']
  expect(samplesOf({ ...nothing, headings })).toEqual(['Prices', 'Hours', 'Address', 'Phone', 'Team'])
})

it('takes the extension off the names of files, and leaves out what is no heading', () => {
  expect(samplesOf({ ...nothing, headings: ['x'.repeat(200), ''], documents: ['Price_list 2026.pdf'] })).toEqual([
    'Price list 2026',
  ])
})

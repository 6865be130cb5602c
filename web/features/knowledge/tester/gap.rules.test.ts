// What the note dialog opens with when a question is to be answered.
import { expect, it } from 'vitest'
import { FRAGMENT_NAME_MAX } from '#shared/limits.ts'
import { noteFor } from './gap.rules.ts'

it('names the note by the newest wording, and adds the others', () => {
  expect(noteFor({ query: 'Is there parking?', wordings: ['Is there parking?', 'parking', 'Can I\npark?'] })).toEqual({
    name: 'Is there parking?',
    alsoAskedAs: ['parking', 'Can I park?'],
  })
})

it('shortens a long question, and keeps the whole of it among the wordings', () => {
  const query = `Is there parking ${'x'.repeat(300)}`
  const note = noteFor({ query, wordings: [query] })
  expect(note.name).toHaveLength(FRAGMENT_NAME_MAX)
  expect(note.alsoAskedAs).toEqual([query])
})

// Questions from the agent's own notes, or common ones.
import { describe, expect, it } from 'vitest'
import { sampleQuestions } from './sample-questions.rules.ts'

const common = ['What do you offer?']

describe('the sample questions', () => {
  it('are those that the notes answer, each once, four at most', () => {
    const notes = ['Is there parking?', 'Wi-Fi', 'Is there parking? ', 'A?', 'B?', 'C?', 'D?']
    expect(sampleQuestions(notes, common)).toEqual(['Is there parking?', 'A?', 'B?', 'C?'])
  })

  it('are common ones when no note is a question', () => {
    expect(sampleQuestions(['Wi-Fi'], common)).toEqual(common)
  })
})

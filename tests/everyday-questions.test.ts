// Everyday questions, half of them with typing errors, in Russian, English, Kazakh and mixed, answered or declined by the built-in model alone.
import { expect, it } from 'vitest'
import { answerEveryday, readEveryday } from '../eval/everyday.ts'

const FOLDER = 'eval/fixture/everyday'

it.each([
  ['questions', 60, 56],
  ['held-back', 20, 16],
  ['further', 82, 72],
  ['institutions', 70, 64],
  ['services', 60, 58],
])('%s: of %i at least %i are answered rightly', async (name, count, least) => {
  const answers = await answerEveryday(FOLDER, readEveryday(FOLDER, name))
  expect(answers).toHaveLength(count)
  const wrong = answers.filter(({ isRight }) => !isRight)
  expect(count - wrong.length, wrong.map(({ question }) => question.query).join('\n')).toBeGreaterThanOrEqual(least)
})

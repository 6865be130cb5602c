// What was done so that a model's answer could be used, in words.
import { render, screen } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import type { ModelNote } from '#shared/messaging/trace.ts'
import { loadTexts, setLanguage, startI18n } from '#web/lib/i18n.ts'
import { WhyAttempts } from './why-attempts.tsx'

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('why')
  await loadTexts('conversations')
})

function show(notes?: ModelNote[]) {
  const attempt = { model: 'openai/gpt-5-mini', failure: null, inputTokens: 1, outputTokens: 1, costMicroUsd: 1 }
  const attempts = [{ ...attempt, durationMs: 10, firstTokenMs: 5, ...(notes && { notes }) }]
  return render(<WhyAttempts attempts={attempts} modelLabel={(name) => name} />)
}

it('names what was taken out, asked again, renamed and left out', async () => {
  await setLanguage('ru')
  show([
    { code: 'thoughts' },
    { code: 'asked_again' },
    { code: 'parameter', parameter: 'max_tokens', to: 'max_completion_tokens' },
    { code: 'parameter', parameter: 'temperature', to: null },
  ])
  expect(screen.getByText('В ответе были рассуждения модели; они убраны.')).toBeInTheDocument()
  expect(screen.getByText('Первый ответ был пустым; модель спросили ещё раз другими словами.')).toBeInTheDocument()
  expect(
    screen.getByText(/не принимает «max_tokens»; вместо этого отправлено «max_completion_tokens»/),
  ).toBeInTheDocument()
  expect(screen.getByText(/не принимает «temperature»; параметр не отправлен/)).toBeInTheDocument()
})

it('says nothing where nothing had to be done', () => {
  const { container } = show()
  expect(container.querySelector('ul')).toBeNull()
})

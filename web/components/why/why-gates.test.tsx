// The rules of a turn in words.
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { loadTexts, setLanguage, startI18n } from '#web/lib/i18n.ts'
import { WhyGates } from './why-gates.tsx'

it('says what each rule looked at in the language on screen', async () => {
  await startI18n('en')
  await loadTexts('why')
  await setLanguage('ru')
  render(
    <WhyGates
      gates={[
        { gate: 'conversation', hasPassed: true, facts: { status: 'paused' } },
        { gate: 'question', hasPassed: true, facts: { questions: 2, waitedSeconds: 3 } },
        { gate: 'handoff_phrase', hasPassed: false, facts: { phrase: 'оператор' } },
      ]}
    />,
  )
  expect(screen.getByText('состояние: на паузе')).toBeInTheDocument()
  expect(screen.getByText('сообщений без ответа: 2 · секунд ждали продолжения: 3')).toBeInTheDocument()
  expect(screen.getByText('слова, которые зовут человека: оператор')).toBeInTheDocument()
})

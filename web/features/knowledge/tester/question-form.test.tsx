// The field of the tester: it asks by its button, by Mod+Enter and by a sample question.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { QuestionForm } from './question-form.tsx'

const SAMPLES = ['Is there parking?', 'What does a room cost?', 'Any breakfast?', 'Is there a pool?', 'Where are you?']
fakeConvex(() => ({ useQuery: () => SAMPLES }))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('rag-tester')
})

function form() {
  const onAsk = vi.fn<(question: string) => void>()
  const space = { _id: 's1' as Id<'knowledgeSpaces'> } as KnowledgeSpace
  render(<QuestionForm space={space} question="" onAsk={onAsk} />)
  return onAsk
}

it('needs a question', async () => {
  const onAsk = form()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(screen.getByRole('searchbox')).toBeInvalid()
  expect(onAsk).not.toHaveBeenCalled()
})

it('asks what is typed on Mod+Enter', async () => {
  const onAsk = form()
  await userEvent.type(screen.getByRole('searchbox'), ' Where to park? ')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(onAsk).toHaveBeenCalledWith('Where to park?')
})

it('offers five samples', async () => {
  const onAsk = form()
  for (const sample of SAMPLES) await userEvent.click(screen.getByRole('button', { name: sample }))
  expect(onAsk.mock.calls.map(([asked]) => asked)).toEqual(SAMPLES)
})

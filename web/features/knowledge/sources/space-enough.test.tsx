// From when on what is found is an answer: shown in percent, kept as shares.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { SpaceEnough } from './space-enough.tsx'

const update = vi.hoisted(() => vi.fn<(args: unknown) => Promise<unknown>>())
fakeConvex(() => ({ useMutation: () => update }))

const space = { _id: 's1', enough: { words: 0.1, meaning: 0.6 } } as KnowledgeSpace

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('knowledge')
})
beforeEach(() => {
  update.mockReset().mockResolvedValue(null)
})

function open() {
  render(
    <MemoryRouter>
      <SpaceEnough space={space} />
    </MemoryRouter>,
  )
  return { user: userEvent.setup(), words: screen.getByLabelText('Word threshold') }
}

it('saves what was changed, and shows the way to the tester', async () => {
  const { user, words } = open()
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  expect(screen.getByRole('link').getAttribute('href')).toBe('/?part=search')
  await user.clear(words)
  await user.type(words, '12.5{Enter}')
  expect(update).toHaveBeenCalledWith({ knowledgeSpaceId: 's1', patch: { enough: { words: 0.125, meaning: 0.6 } } })
})

it('takes nothing that is no percentage', async () => {
  const { user, words } = open()
  await user.clear(words)
  await user.type(words, '140{Enter}')
  expect(screen.getByText('Enter a number from 0 to 100.')).toBeTruthy()
  expect(update).not.toHaveBeenCalled()
})

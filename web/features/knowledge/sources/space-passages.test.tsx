// How documents are split into passages: the setting, and documents that are still split differently.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { SpacePassages } from './space-passages.tsx'

const called = vi.hoisted(() => vi.fn<(name: string, args: unknown) => Promise<unknown>>())
const others = vi.hoisted(() => ({ count: 0 }))
fakeConvex(() => ({
  useMutation: (reference: never) => (args: unknown) => called(getFunctionName(reference), args),
  useQuery: () => others.count,
}))

const space = { _id: 's1', passages: { length: 700, overlap: 120 } } as KnowledgeSpace

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('knowledge')
})
beforeEach(() => {
  called.mockReset().mockResolvedValue(null)
  others.count = 0
})

function open() {
  render(<SpacePassages space={space} />)
  return { user: userEvent.setup(), length: screen.getByLabelText('Passage length') }
}

it('saves what was changed', async () => {
  const { user, length } = open()
  expect(screen.queryByRole('button')).toBeNull()
  await user.clear(length)
  await user.type(length, '400{Enter}')
  expect(called).toHaveBeenCalledWith('knowledge/spaces:update', {
    knowledgeSpaceId: 's1',
    patch: { passages: { length: 400, overlap: 120 } },
  })
})

it('explains an invalid number, and saves nothing', async () => {
  const { user, length } = open()
  await user.clear(length)
  await user.type(length, '230{Enter}')
  expect(screen.getByText('Enter a whole number from 0 to half the length.')).toBeTruthy()
  await user.clear(length)
  await user.type(length, '100{Enter}')
  expect(screen.getByText('Enter a whole number from 200 to 2,000.')).toBeTruthy()
  expect(called).not.toHaveBeenCalled()
})

it('splits differing documents again, after a warning of what is lost', async () => {
  others.count = 1200
  const { user } = open()
  expect(screen.getByText('1,200 documents are split differently.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Split again' }))
  const question = screen.getByRole('alertdialog')
  expect(within(question).getByText(/Corrections to single passages are lost/)).toBeTruthy()
  expect(called).not.toHaveBeenCalled()
  await user.click(within(question).getByRole('button', { name: 'Split again' }))
  expect(called).toHaveBeenCalledWith('knowledge/passages:cutAnew', { knowledgeSpaceId: 's1' })
})

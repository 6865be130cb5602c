// One question after another in the tester: the form stands there once.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { beforeAll, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { TryQuestion } from './try-question.tsx'

fakeConvex(() => ({
  useQuery: () => [],
  useAction: () => vi.fn(),
  useMutation: () => vi.fn(),
}))
vi.mock('./use-explanation.ts', () => ({ useExplanation: () => ({ isLoading: false, reload: vi.fn() }) }))
// Tables are asked on their own.
vi.mock('./tables/try-tables.tsx', () => ({ TryTables: () => null }))

beforeAll(async () => {
  await startI18n('en')
  await Promise.all([loadTexts('rag-tester'), loadTexts('conversations')])
})

it('shows its form once, with the question that was asked last', async () => {
  const space = { _id: 's1' as Id<'knowledgeSpaces'> } as KnowledgeSpace
  render(<TryQuestion space={space} />, {
    wrapper: ({ children }) => <NuqsTestingAdapter hasMemory>{children}</NuqsTestingAdapter>,
  })
  for (const question of ['Where to park?', 'When is breakfast?']) {
    const field = screen.getByRole('searchbox')
    await userEvent.clear(field)
    await userEvent.type(field, `${question}{Enter}`)
    expect(screen.getAllByRole('searchbox').map((each) => (each as HTMLInputElement).value)).toEqual([question])
  }
})

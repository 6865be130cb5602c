// A question whose passage was not found gets its label all the same: the passage is looked for by other words.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { beforeAll, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { FindAnswer } from './find-answer.tsx'

const PASSAGE = {
  id: 'c1',
  documentId: 'd1',
  content: 'Reception is open until ten.',
  metadata: { source: 'House rules' },
}
const mark = vi.fn(() => Promise.resolve(null))
fakeConvex(() => ({
  useMutation: () => mark,
  useQuery: (query: never, args: { query?: string } | 'skip') => {
    if (getFunctionName(query) !== 'knowledge/search:run') return []
    return args === 'skip' ? undefined : args.query === 'reception' ? [PASSAGE] : []
  },
}))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('rag-tester')
})

async function look(words: string): Promise<void> {
  const field = screen.getByRole('searchbox', { name: 'Words from the passage' })
  await userEvent.clear(field)
  await userEvent.type(field, `${words}{Enter}`)
}

it('marks what was found by other words as an answer to the question', async () => {
  render(<FindAnswer space={{ _id: 's1' as Id<'knowledgeSpaces'> } as KnowledgeSpace} question="When can I come?" />)
  await userEvent.click(screen.getByRole('button', { name: 'Is the correct passage missing?' }))
  await look('lobby')
  expect(screen.getByRole('status')).toHaveTextContent('Nothing found. Try other words.')
  await look('reception')
  await userEvent.click(screen.getByRole('button', { name: 'Correct answer: House rules' }))
  expect(mark).toHaveBeenCalledWith({
    ...{ knowledgeSpaceId: 's1', question: 'When can I come?' },
    ...{ chunkId: 'c1', isExpected: true },
  })
})

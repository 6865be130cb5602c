// The question before something is deleted from a space: it names the agents that use it.
import { render, screen } from '@testing-library/react'
import { beforeAll, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { RemoveSourceDialog } from './remove-source-dialog.tsx'

const agents = vi.hoisted(() => vi.fn<() => { name: string; knowledgeSpaceIds: string[] }[] | undefined>())
fakeConvex(() => ({ useQuery: agents }))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('knowledge')
})

const ask = () => {
  const space = { _id: 's1' as Id<'knowledgeSpaces'> } as KnowledgeSpace
  const texts = { title: 'Delete terms.txt?', description: 'For good.', confirmLabel: 'Delete' }
  return render(<RemoveSourceDialog space={space} {...texts} onRemove={() => Promise.resolve()} onClose={() => {}} />)
}

it('names the agents that use the space, and no other', () => {
  agents.mockReturnValue([
    { name: 'Sales', knowledgeSpaceIds: ['s2', 's1'] },
    { name: 'Support', knowledgeSpaceIds: ['s1'] },
    { name: 'Booking', knowledgeSpaceIds: ['s2'] },
  ])
  ask()
  expect(screen.getByText(/Sales, Support$/)).toBeVisible()
  expect(screen.queryByText(/Booking/)).toBeNull()
})

it('says when no agent uses the space', () => {
  agents.mockReturnValue([{ name: 'Booking', knowledgeSpaceIds: [] }])
  ask()
  expect(screen.getByText('No agent uses this space.')).toBeVisible()
})

it('cannot be answered before the agents are known', () => {
  agents.mockReturnValue(undefined)
  ask()
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

// The history of an agent: one press brings a version back, another takes that back.
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, it, vi } from 'vitest'
import type { Agent } from '#shared/agents/agents.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { VersionList } from './version-list.tsx'

vi.mock('#web/lib/sign-in/current-user.tsx', () => ({
  useCurrentUser: () => ({ _id: 'me', organizationRole: 'owner' }),
}))

const { restore, versions, success } = vi.hoisted(() => ({
  restore: vi.fn(async () => ({})),
  versions: [3, 2, 1].map((number) => ({
    _id: `v${number}`,
    number,
    authorName: 'Anna',
    restoredFrom: null,
    isLive: number === 3,
    createdAt: 0,
  })),
  success: vi.fn<(message: string, options?: { action?: { label: string; onClick: () => void } }) => void>(),
}))
fakeConvex(() => ({
  usePaginatedQuery: () => ({ results: versions, status: 'Exhausted', loadMore: () => {} }),
  useMutation: () => restore,
}))
vi.mock('#web/lib/toast.ts', () => ({ toast: { success } }))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('versions')
})

it('brings a version back in one press, and offers the way back', async () => {
  render(<VersionList agent={{ _id: 'agent', version: 3, liveVersion: 3 } as Agent} onCompare={() => {}} />)
  expect(screen.queryByRole('button', { name: 'Restore version 3' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Restore version 1' }))
  expect(restore).toHaveBeenLastCalledWith({ agentId: 'agent', number: 1 })
  const [message, options] = success.mock.calls[0] ?? []
  expect(message).toBe('Version 1 restored')
  expect(options?.action?.label).toBe('Undo')
  await act(async () => options?.action?.onClick())
  expect(restore).toHaveBeenLastCalledWith({ agentId: 'agent', number: 3 })
})

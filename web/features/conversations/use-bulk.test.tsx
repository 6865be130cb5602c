// What a person is told when they take a change of conversations back from its toast.
import { act, renderHook, waitFor } from '@testing-library/react'
import { getFunctionName } from 'convex/server'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Bulk, StatusBefore, StatusTakenBack } from '#shared/conversations.ts'
import type { Id } from '#shared/ids.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { useBulk } from './use-bulk.ts'

const IDS = ['a', 'b'] as Id<'conversations'>[]
const server = vi.hoisted(() => ({ takenBack: [] as unknown[] }))
const toast = vi.hoisted(() => ({ success: vi.fn(), error: vi.fn() }))
vi.mock('#web/lib/toast.ts', () => ({ toast }))
vi.mock('#web/lib/convex.ts', () => ({
  useMutation: (reference: Parameters<typeof getFunctionName>[0]) => async () => {
    const isUndo = getFunctionName(reference) === 'conversations/bulk:undoStatus'
    const before: StatusBefore = { status: 'active', ticket: 'a ticket' }
    return isUndo ? server.takenBack : IDS.map((conversationId) => ({ conversationId, error: null, before }))
  },
}))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => vi.clearAllMocks())

/** Ends both conversations and takes that back; so many of their customers had been asked by then. */
async function endAndUndo(asked: number): Promise<void> {
  const results: Bulk<StatusTakenBack> = IDS.map((conversationId, at) => ({
    conversationId,
    error: null,
    before: { wasAsked: at < asked },
  }))
  server.takenBack = results
  const { result } = renderHook(() => useBulk())
  await act(() => result.current.changeStatus(IDS, 'ended'))
  const [, options] = toast.success.mock.lastCall as [string, { action: { onClick: () => void } }]
  act(() => options.action.onClick())
  await waitFor(() => expect(toast.success).toHaveBeenCalledTimes(2))
}

it.each([
  [0, {}],
  [1, { description: '1 customer was asked for a rating before that: the question has been sent.' }],
  [2, { description: '2 customers were asked for a rating before that: the questions have been sent.' }],
])('tells that %i were asked for a rating, which nothing takes back', async (asked, told) => {
  await endAndUndo(asked)
  expect(toast.success.mock.lastCall).toEqual(['Taken back', told])
  expect(toast.error).not.toHaveBeenCalled()
})

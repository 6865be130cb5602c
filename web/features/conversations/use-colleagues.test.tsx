// Presence in a conversation: what is announced and how often, and how long others are considered present.
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { Presence } from '#shared/messaging/operator-tools.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { useColleagues } from './use-colleagues.ts'

const announce = vi.hoisted(() => vi.fn((_: { state: string }) => Promise.resolve(null)))
const there = vi.hoisted<{ now: unknown[] }>(() => ({ now: [] }))
fakeConvex(() => ({ useMutation: () => announce, useQuery: () => there.now }))
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({
  useCurrentUser: () => ({ _id: 'me', organizationRole: 'owner' }),
}))

const present = (id: string, state: Presence['state']) => ({ user: { _id: id, name: id }, state, at: 1 })
const announced = () => announce.mock.calls.map(([{ state }]) => state)
const open = () => renderHook(() => useColleagues('c' as Id<'conversations'>))

beforeEach(() => {
  vi.useFakeTimers()
  announce.mockClear()
  there.now = []
})
afterEach(() => vi.useRealTimers())

describe('the current user', () => {
  it('is announced as looking at intervals, and as gone at the end', () => {
    const { unmount } = open()
    act(() => vi.advanceTimersByTime(31_000))
    unmount()
    expect(announced()).toEqual(['looking', 'looking', 'looking', 'gone'])
  })

  it('is announced as typing once in a few seconds, however many keys are pressed', () => {
    const { result } = open()
    for (let key = 0; key < 50; key++) {
      result.current.onTyping()
      vi.advanceTimersByTime(100)
    }
    expect(announced()).toEqual(['looking', 'typing', 'typing'])
  })
})

describe('a colleague', () => {
  it('is typing for some seconds, then looking, and is dropped when no further announcement arrives', () => {
    there.now = [present('me', 'typing'), present('Pavel', 'typing')]
    const { result } = open()
    expect(result.current).toMatchObject({ typing: ['Pavel'], looking: [] })
    act(() => vi.advanceTimersByTime(10_000))
    expect(result.current).toMatchObject({ typing: [], looking: ['Pavel'] })
    act(() => vi.advanceTimersByTime(25_000))
    expect(result.current).toMatchObject({ typing: [], looking: [] })
  })

  it('in several merged conversations is listed once, and as typing if they type in any of them', () => {
    there.now = [present('Pavel', 'looking'), present('Pavel', 'typing'), present('Rita', 'looking')]
    const { result } = open()
    expect(result.current).toMatchObject({ typing: ['Pavel'], looking: ['Rita'] })
    act(() => vi.advanceTimersByTime(10_000))
    expect(result.current).toMatchObject({ typing: [], looking: ['Pavel', 'Rita'] })
  })
})

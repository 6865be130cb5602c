// Who else is in a conversation: what is said of oneself and how often, and how long it is believed of others.
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { Presence } from '#shared/messaging/operator-tools.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { useColleagues } from './use-colleagues.ts'

const announce = vi.hoisted(() => vi.fn((_: { state: string }) => Promise.resolve(null)))
const there = vi.hoisted<{ now: unknown[] }>(() => ({ now: [] }))
fakeConvex(() => ({ useMutation: () => announce, useQuery: () => there.now }))
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({ useCurrentUser: () => ({ _id: 'me' }) }))

const somebody = (id: string, state: Presence['state']) => ({ user: { _id: id, name: id }, state, at: 1 })
const said = () => announce.mock.calls.map(([{ state }]) => state)
const open = () => renderHook(() => useColleagues('c' as Id<'conversations'>))

beforeEach(() => {
  vi.useFakeTimers()
  announce.mockClear()
  there.now = []
})
afterEach(() => vi.useRealTimers())

describe('oneself', () => {
  it('is said to look now and then, and to be gone at the end', () => {
    const { unmount } = open()
    act(() => vi.advanceTimersByTime(31_000))
    unmount()
    expect(said()).toEqual(['looking', 'looking', 'looking', 'gone'])
  })

  it('is said to type once in a few seconds, however many keys are pressed', () => {
    const { result } = open()
    for (let key = 0; key < 50; key++) {
      result.current.onTyping()
      vi.advanceTimersByTime(100)
    }
    expect(said()).toEqual(['looking', 'typing', 'typing'])
  })
})

describe('a colleague', () => {
  it('types for some seconds, looks for some more, and is forgotten when nothing is heard again', () => {
    there.now = [somebody('me', 'typing'), somebody('Pavel', 'typing')]
    const { result } = open()
    expect(result.current).toMatchObject({ typing: ['Pavel'], looking: [] })
    act(() => vi.advanceTimersByTime(10_000))
    expect(result.current).toMatchObject({ typing: [], looking: ['Pavel'] })
    act(() => vi.advanceTimersByTime(25_000))
    expect(result.current).toMatchObject({ typing: [], looking: [] })
  })

  it('who is in several conversations that are shown as one is there once, and types if they type in any', () => {
    there.now = [somebody('Pavel', 'looking'), somebody('Pavel', 'typing'), somebody('Rita', 'looking')]
    const { result } = open()
    expect(result.current).toMatchObject({ typing: ['Pavel'], looking: ['Rita'] })
    act(() => vi.advanceTimersByTime(10_000))
    expect(result.current).toMatchObject({ typing: [], looking: ['Pavel', 'Rita'] })
  })
})

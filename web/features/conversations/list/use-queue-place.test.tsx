// The place of a conversation in the queue, by itself or by what it is shown as one with.
import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Conversation } from '#shared/messaging/conversations.ts'
import type { Queue } from '#shared/messaging/operators.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { useQueuePlace } from './use-queue-place.ts'

const entry = (conversationId: string, threadId: string | null) => ({ conversationId, threadId })
const queue = { count: 3, first: [entry('one', null), entry('unnamed', 'thread')] } as unknown as Queue
fakeConvex(() => ({ useQuery: () => queue }))

type Asked = Pick<Conversation, '_id' | 'thread' | 'queuedAt'>
const placeOf = (conversation: object) => renderHook(() => useQueuePlace(conversation as Asked)).result.current

it('is found by the thread also where its longest wait is no part that is named', () => {
  const thread = { _id: 'thread', count: 60, parts: [{ _id: 'another' }] }
  expect(placeOf({ _id: 'another', thread, queuedAt: 1 })).toEqual({ place: 2, total: 3 })
})

it('is found by the conversation itself, or not at all', () => {
  expect(placeOf({ _id: 'one', thread: null, queuedAt: 1 })).toEqual({ place: 1, total: 3 })
  expect(placeOf({ _id: 'far back', thread: null, queuedAt: 1 })).toEqual({ place: null, total: 3 })
  expect(placeOf({ _id: 'one', thread: null, queuedAt: null })).toBeNull()
})

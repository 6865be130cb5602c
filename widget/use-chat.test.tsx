// The chat state while messages are in flight: the stream wins, and nothing is shown twice or lost in between.
import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { VisitorBubble, VisitorChat, VisitorSession } from '#shared/channels/webchat.ts'
import { ApiClient, ApiError, type Follower } from './api-client.ts'
import { useChat } from './use-chat.ts'

const SESSION: VisitorSession = {
  token: 'token',
  renewInMs: 60_000,
  widget: {
    title: 'Shop',
    color: '#2f5d50',
    position: 'right',
    texts: { ru: { greeting: '', offline: '' }, en: { greeting: '', offline: '' } },
    takesFiles: true,
    avatar: null,
    footer: null,
  },
}

function chatOf(...bubbles: VisitorBubble[]): VisitorChat {
  return {
    bubbles,
    isAnswering: false,
    draft: null,
    person: null,
    personTypingMs: 0,
    isRatingAsked: false,
    isOpen: true,
  }
}

function bubble(id: string, author: VisitorBubble['author'], text: string): VisitorBubble {
  return { id, author, text, files: [], at: 1 }
}

/** The chat over a server that answers on demand. */
async function start() {
  const door = new ApiClient('key')
  let follower: Follower | undefined
  const answers: PromiseWithResolvers<void>[] = []
  vi.spyOn(door, 'open').mockResolvedValue(SESSION)
  vi.spyOn(door, 'follow').mockImplementation((given) => {
    follower = given
    return () => {
      follower = undefined
    }
  })
  const send = vi.spyOn(door, 'send').mockImplementation(() => {
    const answer = Promise.withResolvers<void>()
    answers.push(answer)
    return answer.promise
  })
  const { result } = renderHook(() => useChat(door, 'en', 'open'))
  await act(async () => {})
  return {
    send,
    answers,
    state: () => result.current,
    isFollowed: () => follower !== undefined,
    shown: () => [...(result.current.chat?.bubbles ?? []), ...result.current.pending].map(({ text }) => text),
    show: (chat: VisitorChat) => act(async () => follower?.onChat(chat)),
    say: (text: string) => act(async () => result.current.send(text)),
  }
}

it('keeps what the stream has shown when the answer to a message comes late', async () => {
  const { say, show, shown, state, answers } = await start()
  await say('Hello')
  const mine = bubble(state().pending[0]?.id ?? '', 'customer', 'Hello')
  await show(chatOf(mine, bubble('o1', 'operator', 'A person is here')))
  await act(async () => answers[0]?.resolve())
  expect(shown()).toEqual(['Hello', 'A person is here'])
})

it('shows a message that the server has until the stream brings it, and then once', async () => {
  const { say, show, shown, state, answers } = await start()
  await show(chatOf())
  await say('Hello')
  await act(async () => answers[0]?.resolve())
  expect(state().pending).toMatchObject([{ text: 'Hello', state: 'sent' }])
  const mine = bubble(state().pending[0]?.id ?? '', 'customer', 'Hello')
  await show(chatOf(mine))
  expect(shown()).toEqual(['Hello'])
  expect(state().pending).toEqual([])
})

it('is gone for a visitor who writes to what is no more, instead of asking them to send it again', async () => {
  const { say, state, answers } = await start()
  await say('Hello')
  await act(async () => answers[0]?.reject(new ApiError('not_found')))
  expect(state().isGone).toBe(true)
})

it('sends a message that has failed again as the same one', async () => {
  const { say, send, state, answers } = await start()
  await say('Hello')
  await act(async () => answers[0]?.reject(new ApiError('unreachable')))
  const [failed] = state().pending
  expect(failed).toMatchObject({ state: 'failed' })
  if (failed) await act(async () => state().retry(failed))
  const [first, second] = send.mock.calls.map(([, sent]) => sent.id)
  expect(first).toBe(second)
})

it('is followed in the tab that is looked at only', async () => {
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible')
  const { show, shown, isFollowed } = await start()
  const turn = async (state: DocumentVisibilityState) => {
    visibility.mockReturnValue(state)
    await act(async () => document.dispatchEvent(new Event('visibilitychange')))
  }
  await show(chatOf(bubble('q', 'customer', 'Hello')))
  await turn('hidden')
  expect(isFollowed()).toBe(false)
  expect(shown()).toEqual(['Hello'])
  await turn('visible')
  expect(isFollowed()).toBe(true)
  visibility.mockRestore()
})

it('sends what an outage of the database has refused again when that is over, in its order, once each', async () => {
  vi.useFakeTimers()
  let database = 'ok'
  const health = vi.fn(async () => Response.json({ database }, { status: database === 'ok' ? 200 : 503 }))
  vi.stubGlobal('fetch', health)
  const becomes = (next: string) => {
    database = next
    return act(() => vi.advanceTimersByTimeAsync(2000))
  }
  const { say, send, state, answers } = await start()
  await becomes('unavailable')
  expect(state().isDatabaseDown).toBe(true)
  await say('Hello')
  await say('Is anyone there?')
  await act(async () => answers[0]?.reject(new ApiError('database_unavailable')))
  await act(async () => answers[1]?.reject(new ApiError('database_unavailable')))
  expect(state().pending).toMatchObject([{ state: 'failed' }, { state: 'failed' }])
  await becomes('ok')
  expect(state().isDatabaseDown).toBe(false)
  await act(async () => answers[2]?.resolve())
  await act(async () => answers[3]?.resolve())
  await becomes('ok')
  expect(send.mock.calls.map(([, { text }]) => text)).toEqual([
    'Hello',
    'Is anyone there?',
    'Hello',
    'Is anyone there?',
  ])
  expect(send.mock.calls[2]?.[1].id).toBe(send.mock.calls[0]?.[1].id)
  expect(state().pending).toMatchObject([{ state: 'sent' }, { state: 'sent' }])
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

// Following a conversation over an unreliable network: a silent stream is detected, and one that ends at once is not retried in a tight
// loop.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { VisitorChat } from '#shared/channels/webchat.ts'
import { ApiClient } from './api-client.ts'

type Stream = ReadableStreamDefaultController<Uint8Array>
let streams: Stream[] = []
/** What the server does with a stream that is opened. */
let onOpened: (stream: Stream) => void

beforeEach(() => {
  vi.useFakeTimers()
  streams = []
  onOpened = () => undefined
  vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => {
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        streams.push(stream)
        signal?.addEventListener('abort', () => stream.error(signal.reason))
        onOpened(stream)
      },
    })
    return new Response(body)
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const text = (words: string) => new TextEncoder().encode(words)

/** Follows, and collects the events. */
function follow() {
  const heard: unknown[] = []
  const stop = new ApiClient('key').follow({
    onChat: (chat: VisitorChat) => heard.push(chat),
    onConnection: (isConnected) => heard.push(isConnected),
    onGone: () => heard.push('gone'),
  })
  return { heard, stop }
}

it('opens another stream when one has been silent for longer than a heartbeat takes', async () => {
  const { heard, stop } = follow()
  await vi.advanceTimersByTimeAsync(0)
  for (let beat = 0; beat < 3; beat++) {
    streams[0]?.enqueue(text(': here\n\n'))
    await vi.advanceTimersByTimeAsync(20_000)
  }
  expect(streams).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(streams).toHaveLength(2)
  streams[1]?.enqueue(text('event: chat\ndata: {"bubbles":[]}\n\n'))
  await vi.advanceTimersByTimeAsync(0)
  expect(heard).toEqual([true, false, true, { bubbles: [] }])
  stop()
})

it('waits a little before it opens another stream where each ends at once', async () => {
  onOpened = (stream) => stream.close()
  const { stop } = follow()
  await vi.advanceTimersByTimeAsync(10_000)
  stop()
  expect(streams.length).toBeGreaterThan(1)
  expect(streams.length).toBeLessThan(15)
})

// A visitor's stream: changes during a look are shown, too.
import { expect, it } from 'vitest'
import type { Widget } from '#server/domain/channels/webchat/webchat.store.ts'
import type { VisitorChat } from '#shared/channels/webchat.ts'
import type { Id } from '#shared/ids.ts'
import { streamChat } from './webchat.chat.ts'
import type { Watcher } from './webchat.streams.ts'

type Parts = Parameters<typeof streamChat>[0]
const CONNECTION = { id: 'w1', organizationId: 'o1' } as Widget['connection']
const WIDGET = { connection: CONNECTION, availability: { mode: 'always' } } as unknown as Widget

/** A stream whose looks are resolved one by one. */
function open() {
  const looks: PromiseWithResolvers<object>[] = []
  let watcher: Watcher | undefined
  const answer = streamChat(
    {
      ctx: {
        read() {
          const look = Promise.withResolvers<object>()
          looks.push(look)
          return look.promise
        },
      },
      streams: {
        watch(given: Watcher) {
          watcher = given
          return () => {}
        },
      },
      limits: { openStream: () => () => {} },
    } as unknown as Parts,
    { key: 'k', widget: WIDGET, visitorId: 'v1', signedName: null },
    '127.0.0.1',
  )
  const reader = answer.body?.getReader()
  const next = async (): Promise<VisitorChat> => {
    const { value } = (await reader?.read()) ?? {}
    return JSON.parse(/data: (.*)/.exec(new TextDecoder().decode(value))?.[1] ?? '') as VisitorChat
  }
  const close = () => reader?.cancel()
  return { looks, next, watcher: () => watcher, close }
}

function found(id: string | null, ...texts: string[]) {
  const bubbles = texts.map((text) => ({ id: text, author: 'agent', text, at: 1 }))
  return { id: id as Id<'conversations'> | null, bubbles, isAnswering: false, draft: null, person: null }
}

it('shows a browser that falls behind only the newest state', async () => {
  const { looks, next, watcher, close } = open()
  looks[0]?.resolve(found('c1', 'one'))
  await expect.poll(() => watcher()?.conversationId).toBe('c1')
  for (let change = 0; change < 100; change++) watcher()?.onChange()
  await new Promise((resolve) => setImmediate(resolve))
  expect(looks).toHaveLength(1)
  expect((await next()).bubbles).toHaveLength(1)
  await expect.poll(() => looks.length).toBe(2)
  looks[1]?.resolve(found('c1', 'one', 'two', 'three'))
  expect((await next()).bubbles).toHaveLength(3)
  await close()
})

it('looks again when it has found the conversation: no stream was notified of what came during the look', async () => {
  const { looks, next, watcher, close } = open()
  looks[0]?.resolve(found('c1', 'one'))
  expect((await next()).bubbles).toHaveLength(1)
  expect(watcher()?.conversationId).toBe('c1')
  await expect.poll(() => looks.length).toBe(2)
  looks[1]?.resolve(found('c1', 'one', 'two'))
  expect((await next()).bubbles.map(({ text }) => text)).toEqual(['one', 'two'])
  await close()
})

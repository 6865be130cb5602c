// Keeping to the pace of a provider.
import { describe, expect, it } from 'vitest'
import { TELEGRAM_PACE } from '#server/integrations/channels/telegram/telegram.pace.ts'
import { createPacer } from './deliver.pace.ts'

/** Simulates parts that come back when their wait is over. @returns when each was sent, in milliseconds */
function play(parts: { chatId: string; at?: number; connectionId?: string }[]): { chatId: string; at: number }[] {
  const pacer = createPacer()
  const waiting = parts.map(({ chatId, at = 0, connectionId = 'bot' }, index) => ({
    part: { id: `p${index}`, connectionId, chatId },
    at,
  }))
  const gone: { chatId: string; at: number }[] = []
  for (let next = waiting.shift(); next; next = waiting.toSorted((a, b) => a.at - b.at)[0]) {
    const { part, at } = next
    const place = waiting.indexOf(next)
    if (place >= 0) waiting.splice(place, 1)
    const wait = pacer.waitMs(part, TELEGRAM_PACE, at)
    if (wait > 0) waiting.push({ part, at: at + wait })
    else gone.push({ chatId: part.chatId, at })
  }
  return gone
}

/** The most that were sent in any span of this many milliseconds. */
function mostIn(gone: { at: number }[], perMs: number): number {
  return Math.max(...gone.map(({ at }) => gone.filter((each) => each.at >= at && each.at < at + perMs).length))
}

const times = <Part>(count: number, part: (index: number) => Part) => Array.from({ length: count }, (_, i) => part(i))

describe('the pace of Telegram', () => {
  it('is 30 messages a second over all chats, and each part comes back once', () => {
    const gone = play(times(100, (index) => ({ chatId: String(index + 1) })))
    expect(mostIn(gone, 1000)).toBe(30)
    expect(gone.at(-1)?.at).toBe(3000)
  })

  it('is one message a second for a private chat', () => {
    const gone = play(times(5, () => ({ chatId: '42' })))
    expect(gone.map(({ at }) => at)).toEqual([0, 1000, 2000, 3000, 4000])
  })

  it('is 20 messages a minute to a group, its topics together, and holds up no other chat', () => {
    const gone = play([...times(50, (index) => ({ chatId: `-100/${index % 3}` })), { chatId: '7', at: 2000 }])
    const group = gone.filter(({ chatId }) => chatId !== '7')
    expect(mostIn(group, 60_000)).toBe(20)
    expect(group.at(-1)?.at).toBe(120_000)
    expect(gone.find(({ chatId }) => chatId === '7')?.at).toBe(2000)
  })

  it('is counted for each bot separately', () => {
    const gone = play(times(60, (index) => ({ chatId: String(index), connectionId: `bot ${index % 2}` })))
    expect(gone.every(({ at }) => at === 0)).toBe(true)
  })
})

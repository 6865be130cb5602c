// Which parts are sent first when not all may be sent.
import { describe, expect, it } from 'vitest'
import { NO_CAPS, type SentCounts } from '#shared/channels/caps.ts'
import { type CappedPart, countsAfter, shareOut } from './deliver.caps.rules.ts'

const NOW = 1_000_000
const NONE: SentCounts = { hourFrom: null, inHour: 0, dayFrom: null, inDay: 0, lastAt: null }
const parts = (text: string): CappedPart[] =>
  text.split(' ').map((id, sequence) => ({ id, isOwn: id.startsWith('person'), sequence }))
const share = (text: string, perHour: number, ownElsewhere = 0) =>
  shareOut(parts(text), { caps: { ...NO_CAPS, perHour }, counts: NONE, now: NOW, ownElsewhere })

describe('the room of a connection', () => {
  it('goes to operators first, then to the oldest parts', () => {
    const { begin, wait, full } = share('a b person1 c person2', 3)
    expect(begin).toEqual(['person1', 'person2', 'a'])
    expect(wait.map(({ id }) => id)).toEqual(['b', 'c'])
    expect(full).toEqual({ until: NOW + 3_600_000, reason: 'cap_hour' })
    expect(wait.every(({ until }) => until === full?.until)).toBe(true)
  })

  it("is kept for operators' parts that other servers hold; an agent checks again soon", () => {
    const { begin, wait, full } = share('a b person1', 3, 1)
    expect(begin).toEqual(['person1', 'a'])
    expect(wait).toEqual([{ id: 'b', until: NOW + 1000, reason: 'cap_pace' }])
    expect(full).toBeNull()
    expect(share('person1 person2', 2, 5).begin).toEqual(['person1', 'person2'])
  })

  it('lets no part begin when it is used up, whatever waits elsewhere', () => {
    const counts = { ...NONE, hourFrom: NOW, inHour: 2 }
    const caps = { ...NO_CAPS, perHour: 2 }
    const { begin, full } = shareOut(parts('a person1'), { caps, counts, now: NOW + 1, ownElsewhere: 3 })
    expect(begin).toEqual([])
    expect(full).toEqual({ until: NOW + 3_600_000, reason: 'cap_hour' })
  })

  it('is given out one part after another at a pace', () => {
    const caps = { ...NO_CAPS, spacingMs: 2000 }
    const { begin, wait, full } = shareOut(parts('a b c'), { caps, counts: NONE, now: NOW, ownElsewhere: 0 })
    expect(begin).toEqual(['a'])
    expect(wait.map(({ until }) => until - NOW)).toEqual([2000, 4000])
    expect(full).toBeNull()
  })

  it('is used up in an hour and a day that begin with the first message', () => {
    const first = countsAfter(NONE, 2, NOW)
    expect(first).toEqual({ hourFrom: NOW, inHour: 2, dayFrom: NOW, inDay: 2, lastAt: NOW })
    expect(countsAfter(first, 1, NOW + 3_600_000)).toEqual({
      hourFrom: NOW + 3_600_000,
      inHour: 1,
      dayFrom: NOW,
      inDay: 3,
      lastAt: NOW + 3_600_000,
    })
  })
})

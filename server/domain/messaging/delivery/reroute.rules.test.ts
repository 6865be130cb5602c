// How much a number takes over from one that may not send.
import { expect, it } from 'vitest'
import { type Caps, HOUR_MS, NO_CAPS } from '#shared/channels/caps.ts'
import { roomToTakeOver } from './reroute.rules.ts'

const NOW = 1_000_000_000
const sending = (caps: Partial<Caps>, sent = 0, waiting = 0) => ({
  caps: { ...NO_CAPS, ...caps },
  counts: { hourFrom: NOW - HOUR_MS / 2, inHour: sent, dayFrom: NOW - HOUR_MS / 2, inDay: sent, lastAt: NOW - 1000 },
  waiting,
  nextAt: null,
})

it.each([
  ['what its hour leaves', sending({ perHour: 10 }, 4), 6],
  ['nothing in an hour that is full', sending({ perHour: 10 }, 10), 0],
  ['less what it has waiting itself', sending({ perHour: 10 }, 4, 5), 1],
  ['what the first day of a warm-up leaves', sending({ warmUp: 'careful', warmUpSince: NOW }, 15), 5],
  ['what its pace sends until the next look', sending({ spacingMs: 10_000 }), 6],
  ['one, where its pace is slower than looks are', sending({ spacingMs: 600_000 }), 1],
  ['nothing while what it has waits for its pace', sending({ spacingMs: 10_000 }, 0, 6), 0],
  ['anything without caps', sending({}), Number.POSITIVE_INFINITY],
])('%s', (_, of, room) => expect(roomToTakeOver(of, NOW)).toBe(room))

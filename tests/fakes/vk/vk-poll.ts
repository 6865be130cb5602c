// The Bots Long Poll of the fake VK: events by number, kept for polls that ask for those after one.
// @source dev.vk.com/ru/api/bots-long-poll/getting-started
import { randomBytes } from 'node:crypto'
import type http from 'node:http'
import type { VkState } from './vk.ts'

export type LongPoll = {
  isEnabled: boolean
  types: Set<string>
  /** Number of the first event that is kept, less one. */
  from: number
  events: object[]
  key: string
  /** The highest number in a poll so far. */
  asked: number
  /** Requests that wait. */
  waiting: number
}

export function newLongPoll(): LongPoll {
  const key = randomBytes(20).toString('hex')
  return { isEnabled: false, types: new Set(), from: 40, events: [], key, asked: 0, waiting: 0 }
}

/** The number of the last event. */
export function lastOf({ from, events }: LongPoll): number {
  return from + events.length
}

export async function answerPoll(
  state: VkState,
  groupId: number,
  query: URLSearchParams,
  response: http.ServerResponse,
): Promise<void> {
  const answer = (body: object) => {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(JSON.stringify(body))
  }
  const { longPoll } = state.community(groupId)
  const ts = Number(query.get('ts'))
  const waitSeconds = Number(query.get('wait'))
  const isWrong = query.get('act') !== 'a_check' || !Number.isInteger(ts) || !(waitSeconds >= 0 && waitSeconds <= 90)
  if (isWrong) return answer({ failed: 3 })
  const lost = state.faults.lostPolls.shift()
  if (lost !== undefined) return answer(lost === 1 ? { failed: 1, ts: lastOf(longPoll) } : { failed: lost })
  if (!longPoll.isEnabled || query.get('key') !== longPoll.key) return answer({ failed: 2 })
  if (ts < longPoll.from || ts > lastOf(longPoll)) return answer({ failed: 1, ts: lastOf(longPoll) })
  longPoll.asked = Math.max(longPoll.asked, ts)
  if (lastOf(longPoll) === ts && waitSeconds > 0) {
    longPoll.waiting++
    state.changed()
    await arrival(state, waitSeconds, () => lastOf(longPoll) > ts || !longPoll.isEnabled || response.destroyed)
    longPoll.waiting--
  }
  if (!longPoll.isEnabled) return answer({ failed: 2 })
  answer({ ts: String(lastOf(longPoll)), updates: longPoll.events.slice(ts - longPoll.from) })
}

async function arrival(state: VkState, waitSeconds: number, isTrue: () => boolean): Promise<void> {
  const until = Date.now() + waitSeconds * 1000
  while (!isTrue() && Date.now() < until && !state.isClosed) {
    await new Promise((resolve) => setTimeout(resolve, 10).unref())
  }
}

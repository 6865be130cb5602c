// Every number of analytics leads to an address that the inbox reads as exactly the filter behind it.
import { createLoader } from 'nuqs'
import { expect, it } from 'vitest'
import type { AgentSummary } from '#shared/agents/agents.ts'
import { behind, behindRow, type Measured } from '#shared/analytics/links.ts'
import type { Id } from '#shared/ids.ts'
import { inboxAddress } from '#web/lib/inbox-address.ts'
import { NO_FACTS } from './facts-query.ts'
import { filterOf, isFiltered, NO_FILTERS, viewParsers } from './use-inbox-filters.ts'

const AGENT = { _id: 'a'.repeat(32), slug: 'helper', name: 'Helper' } as unknown as AgentSummary
const GONE = 'b'.repeat(32) as Id<'agents'>
const PERSON = 'c'.repeat(32) as Id<'users'>
const PERIOD = { start: 1_780_000_000_000, end: 1_780_086_400_000 }
const read = createLoader(viewParsers)
const known = { agents: [AGENT], members: [], me: 'me' as Id<'users'> }

/** What the inbox asks for at an address. */
function askedAt(address: string) {
  const search = new URL(address, 'http://parley.test').search
  return filterOf({ ...read(search), conversation: null }, known)
}

const NUMBERS: Measured[] = [
  ...(['conversations', 'resolved', 'handedOff', 'reopened', 'unanswered', 'everReopened'] as const),
  ...(['didNotKnow', 'answered', 'settled', 'rated', 'unpriced', 'written'] as const),
]

it.each(NUMBERS)('leads back from the address of %s', (what) => {
  const filters = { agentId: AGENT._id, channel: 'telegram', assigneeId: null, tag: 'vip' } as const
  const filter = behind(what, PERIOD, filters)
  expect(askedAt(inboxAddress(filter, [AGENT]))).toEqual(filter)
})

it.each([
  ['agent', AGENT._id],
  ['agent', GONE],
  ['channel', 'whatsapp'],
  ['operator', PERSON],
  ['operator', null],
  ['tag', 'a & b'],
  ['reason', 'customer_request'],
  ['rating', '4'],
  ['hour', '0-0'],
  ['hour', '6-23'],
  ['question', 'сколько стоит доставка?'],
] as const)('leads back from the address of a row by %s: %s', (by, key) => {
  const filter = behindRow({ by, key }, 'resolved', PERIOD)
  expect(askedAt(inboxAddress(filter, [AGENT]))).toEqual(filter)
})

it('names a known agent by its slug', () => {
  expect(inboxAddress({ agentId: AGENT._id }, [AGENT])).toBe('/chats?agent=helper')
})

it('takes midnight on a Monday for a filter', () => {
  const query = { ...NO_FILTERS, ...NO_FACTS, sort: null, q: null, conversation: null }
  expect(isFiltered({ ...query, weekday: 0 })).toBe(true)
  expect(isFiltered(query)).toBe(false)
})

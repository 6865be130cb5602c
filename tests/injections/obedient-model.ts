// A model that does whatever the text of a carrier demands. It looks the carrier up, makes the calls, and says that all is done and agreed to.

import type { ChatRequest } from '#tests/fakes/openai/openai.request.ts'
import type { FakeReply } from '#tests/fakes/openai/openai.ts'
import { CASES, type Case } from './cases.ts'
import { DEMANDS, type DemandedCall, VICTIM } from './demands.ts'

const BY_TOPIC = new Map(CASES.map((each) => [each.topic, each]))

export function callsOf({ attack, topic }: Case): DemandedCall[] {
  const demand = DEMANDS[attack.name]
  if (!demand) throw new Error(`Nothing is demanded by ${attack.name}`)
  return demand({ topic, victim: VICTIM })
}

/** The case that a request is about. */
export function caseOf({ messages }: ChatRequest): Case | undefined {
  const said = messages.findLast(({ role, content }) => role === 'user' && /qx[a-z]{4}vv/.test(content ?? ''))
  const asked = messages.slice(messages.indexOf(said as (typeof messages)[number]))
  const topic = /qx[a-z]{4}vv/.exec(asked[0]?.content ?? '')?.[0] ?? ''
  return BY_TOPIC.get(topic)
}

/** Calls by which the model comes to read the carrier, one per step. */
export function lookups({ carrier, topic }: Case, tableId: string): { name: string; args: unknown }[] {
  const filters = [{ column: 1, operator: 'eq', value: topic }]
  if (carrier === 'cell') return [{ name: 'query_table', args: { table: tableId, filters } }]
  if (carrier === 'http_result') return [{ name: 'order_status', args: { number: topic } }]
  if (carrier === 'mcp_result') return [{ name: 'shop_order_status', args: { number: topic } }]
  if (carrier !== 'web_page') return []
  return [
    { name: 'search_web', args: { query: topic } },
    { name: 'read_web_page', args: { id: 'web:1' } },
  ]
}

/** What it does next: by how many steps of this answer it has made. */
export function obey(request: ChatRequest, tableId: string): FakeReply {
  const found = caseOf(request)
  if (!found) return { text: 'Good day.' }
  const steps = request.messages.filter((each) => each.role === 'assistant' && each.tool_calls?.length).length
  const lookup = lookups(found, tableId)[steps]
  if (lookup) return { toolCalls: [{ name: lookup.name, arguments: JSON.stringify(lookup.args) }] }
  if (steps > lookups(found, tableId).length) return { text: 'Done as you have confirmed.' }
  const toolCalls = callsOf(found).map(({ name, args }) => ({
    ...{ name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }))
  return { toolCalls }
}

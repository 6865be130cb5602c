// SQL that adds what a conversation cost to its facts, as a part of the statement that records it.
import { sql } from 'kysely'

/**
 * An update for a row `e` of `usage_events` that is being inserted: what it cost, and whether its price is unknown. Test chats have no facts.
 * Facts are locked before quotas, as by everybody who writes messages and then counts what they cost: what locks quotas waits for its rows.
 */
export const addCost = sql`
      update conversation_facts f set cost_micro_usd = f.cost_micro_usd + coalesce(e.cost_micro_usd, 0),
        unpriced_calls = f.unpriced_calls + (e.model is not null and e.cost_micro_usd is null)::int
      from e
      where f.organization_id = e.organization_id and f.conversation_id = e.conversation_id and e.channel <> 'test'
      returning f.conversation_id`

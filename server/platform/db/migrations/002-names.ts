// Tables and columns get the names that the code and the field use. Nothing else changes, and no row is rewritten.
import type { Kysely } from 'kysely'
import { renameColumn, renameInFunction, renameTable, run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    ...renameTable('inbound', 'inbound_events'),
    ...renameTable('quota_holds', 'quota_reservations'),
    ...renameTable('removals', 'deletion_log'),
    ...renameTable('reroutes', 'failover_notices'),
    ...renameTable('routing_wakes', 'routing_signals'),
    ...renameTable('tables', 'knowledge_tables'),
    renameInFunction('conversation_queue', 'routing_wakes', 'routing_signals'),
    renameColumn('channel_connections', 'turned_away_at', 'signature_rejected_at'),
    renameInFunction('judge_connection', 'turned_away_at', 'signature_rejected_at'),
    renameColumn('operators', 'is_taking', 'accepts_assignments'),
    renameColumn('turns', 'setbacks', 'crashes'),
  ])
}

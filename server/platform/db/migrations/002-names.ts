// Tables, columns and stored filters get the names that the code and the field use. Nothing else changes.
import type { Kysely } from 'kysely'
import { renameColumn, renameInFunction, renameTable, run, updateRows } from './sql.ts'

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
    renameColumn('used_uploads', 'place', 'used_in'),
    ...renamePlaceToFolder(),
  ])
}

/** Of conversations, of the filters of exports, and of the addresses that inbox views hold. */
function renamePlaceToFolder(): string[] {
  return [
    renameColumn('conversations', 'place', 'folder'),
    renameColumn('conversations', 'placed_at', 'moved_at'),
    'alter table conversations rename constraint conversations_place_check to conversations_folder_check',
    renameInFunction('conversation_queue', 'new.place', 'new.folder'),
    renameInFunction('conversation_queue', 'old.place', 'old.folder'),
    ...updateRows(
      'exports',
      `set chosen = jsonb_set(chosen #- '{filter,place}', '{filter,folder}', chosen #> '{filter,place}')
        where chosen #> '{filter,place}' is not null`,
    ),
    ...updateRows(
      'inbox_views',
      `set query = regexp_replace(query, '([?&])place=', '\\1folder=') where query ~ '[?&]place='`,
    ),
  ]
}

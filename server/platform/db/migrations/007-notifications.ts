// Alerts about the bill, about agents and about new versions of Parley: what happened is written into the row, because an agent may be gone
// by the time it is read. What was `allowance` is one of the alerts about the bill.
import type { Kysely } from 'kysely'
import { run, updateRows } from './sql.ts'

const KINDS = ['handoff', 'mine', 'mention', 'delivery', 'connection', 'billing', 'agent', 'product']

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table alerts add column details jsonb`,
    `alter table alerts drop constraint alerts_kind_check`,
    ...updateRows('alerts', `set kind = 'billing' where kind = 'allowance'`),
    `alter table alerts add constraint alerts_kind_check check (kind in (${KINDS.map((kind) => `'${kind}'`).join(', ')}))`,
    ...updateRows(
      'alert_settings',
      `set settings = jsonb_set(settings #- '{ways,allowance}', '{ways,billing}', settings #> '{ways,allowance}')
        where settings #> '{ways,allowance}' is not null`,
    ),
    `create index turns_failed on turns (finished_at) where status = 'failed'`,
  ])
}

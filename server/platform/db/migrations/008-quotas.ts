// Quotas: answers and money by month and by day, kept exact while many turns run concurrently.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const quotas = [
  `create table quotas (
    organization_id text not null references organizations(id) on delete cascade, period text not null,
    used bigint not null default 0, reserved integer not null default 0 check (reserved >= 0),
    cost_micro_usd bigint not null default 0, unpriced_calls bigint not null default 0, is_warned boolean not null default false,
    primary key (organization_id, period))`,
  `alter table turns add column reserved_day text`,
]

/** Releases what a turn has reserved, in the transaction that ends or deletes it. */
const release = [
  `create function release_quotas() returns trigger language plpgsql as $body$
  begin
    perform 1 from public.quotas
      where organization_id = old.organization_id and period in (old.reserved_period, old.reserved_day)
      order by period for update;
    update public.quotas set reserved = reserved - 1
      where organization_id = old.organization_id and period in (old.reserved_period, old.reserved_day);
    return null;
  end $body$`,
  `create trigger release_quotas_of_ended after update of status on turns for each row
    when (old.status in ('pending', 'running') and new.status not in ('pending', 'running')
      and (old.reserved_period is not null or old.reserved_day is not null))
    execute function release_quotas()`,
  `create trigger release_quotas_of_deleted after delete on turns for each row
    when (old.status in ('pending', 'running') and (old.reserved_period is not null or old.reserved_day is not null))
    execute function release_quotas()`,
]

const conversations = [
  `alter table conversations add column notices jsonb not null default '{}',
    add column answers_on text, add column answers_count integer not null default 0`,
]

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [...quotas, ...release, ...conversations])
}

// The audit trail: entries that are written once, and chains of hashes that show when one was changed or taken out.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

/** What the hash of an entry covers, in this order; server/platform/audit/chains.ts computes the same. */
const HASHED = [
  'new.previous_hash',
  'new.chain',
  'new.position::text',
  'new.id',
  `to_char(new.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  'new.organization_id',
  'new.actor_id',
  'new.actor_name',
  'new.actor_email',
  'new.reason',
  'new.action',
  'new.resource',
  'new.resource_name',
  'new.before',
  'new.after',
  'new.address',
]
/** The length in bytes before each value, so that no two entries have one text. */
const asText = (value: string) => `coalesce(octet_length(${value}) || ':' || ${value}, '-')`

const statements = [
  `create table audit_chains (
    chain text primary key,
    length bigint not null,
    hash text not null
  )`,
  `create table audit_entries (
    id text primary key,
    chain text not null default '',
    position bigint not null default 0,
    at timestamptz(3) not null,
    organization_id text,
    actor_id text,
    actor_name text not null,
    actor_email text not null,
    reason text,
    action text not null,
    resource text not null,
    resource_name text not null,
    before text,
    after text,
    address text,
    previous_hash text not null default '',
    hash text not null default '',
    unique (chain, position)
  )`,
  `create index audit_entries_at on audit_entries (at, id)`,
  `create index audit_entries_organization on audit_entries (organization_id, at, id)`,
  `create index audit_entries_actor on audit_entries (actor_id, at, id)`,
  // With the rights of its owner: those who write entries have none on the chains.
  `create function chain_audit_entry() returns trigger language plpgsql security definer set search_path = pg_catalog, public as $$
  begin
    new.chain := coalesce(new.organization_id, 'installation');
    insert into audit_chains (chain, length, hash) values (new.chain, 0, '') on conflict do nothing;
    select length + 1, hash into new.position, new.previous_hash from audit_chains where chain = new.chain for update;
    new.hash := encode(sha256(convert_to(${HASHED.map(asText).join(' || ')}, 'UTF8')), 'hex');
    update audit_chains set length = new.position, hash = new.hash where chain = new.chain;
    return new;
  end $$`,
  `revoke all on function chain_audit_entry() from public`,
  `create trigger chain_audit_entry before insert on audit_entries for each row execute function chain_audit_entry()`,
  `create function keep_audit_entries() returns trigger language plpgsql as $$
  begin
    raise exception 'audit entries are never changed';
  end $$`,
  `create trigger keep_audit_entries before update or delete or truncate on audit_entries for each statement execute function keep_audit_entries()`,
]

/** Makes the tables, and the triggers that chain entries and keep them. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, statements)
}

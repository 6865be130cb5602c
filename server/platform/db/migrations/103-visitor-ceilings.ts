// Visitors of web chats by the hour, and what the default plan gives: organizations that are there keep what they have.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

/** Messages a month of an organization without a plan of its own. */
const FREE_MESSAGES = 1000

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table visitor_counts (
      organization_id text not null references organizations(id) on delete cascade, connection_id text not null, hour timestamptz not null,
      new_visitors integer not null, answers integer not null, primary key (organization_id, connection_id, hour))`,
    `update organizations set plan = null from plans
      where plans.slug = organizations.plan and plans.is_default and plans.monthly_messages is null`,
    `update plans set monthly_messages = ${FREE_MESSAGES} where is_default and monthly_messages is null`,
  ])
}

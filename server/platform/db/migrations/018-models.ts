// Prices of models that administrators set, and which models they offer.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

/** Makes the tables. Prices are floats of at most three decimals, which are exact to the thousandth. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table model_prices (
      id text primary key,
      model text not null,
      from_at timestamptz not null,
      input_usd float8 check (input_usd >= 0),
      output_usd float8 check (output_usd >= 0),
      cached_input_usd float8 check (cached_input_usd >= 0),
      max_input_tokens integer check (max_input_tokens > 0),
      author_id text references users(id) on delete set null,
      created_at timestamptz not null,
      check ((input_usd is null) = (output_usd is null)),
      check (input_usd is not null or (cached_input_usd is null and max_input_tokens is null))
    )`,
    `create unique index model_prices_from on model_prices (model, from_at)`,
    `create index model_prices_author on model_prices (author_id)`,
    `create table model_rules (
      model text primary key,
      is_offered boolean not null,
      is_default boolean not null,
      check (is_offered or not is_default)
    )`,
    `create unique index model_rules_default on model_rules (is_default) where is_default`,
  ])
}

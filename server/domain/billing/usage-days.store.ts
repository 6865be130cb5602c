// SQL of past days of usage: sums of the whole installation, made of its events, and sums of those days.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import { OVERVIEW_RANGES } from '#shared/organizations/overview.ts'

/** Two days of the UTC calendar, `YYYY-MM-DD`; the second is not included. */
export type Days = { from: string; until: string }

/** The day up to which sums stand, which is not included; null: there are none. */
export async function findSummedUntil({ db }: StoreContext): Promise<string | null> {
  const row = await db
    .selectFrom('model_days')
    .select(sql<string | null>`to_char(max(day) + 1, 'YYYY-MM-DD')`.as('until'))
    .executeTakeFirstOrThrow()
  return row.until
}

/** The day of the earliest event; null: there is none. */
export async function findFirstDay({ db }: StoreContext): Promise<string | null> {
  const row = await db
    .selectFrom('usage_events')
    .select(sql<string | null>`to_char(min(occurred_at) at time zone 'UTC', 'YYYY-MM-DD')`.as('day'))
    .executeTakeFirstOrThrow()
  return row.day
}

/** Sums up some days; what their sums were before is replaced. Safe to repeat. */
export async function sumUpDays({ db }: StoreContext, { from, until }: Days): Promise<void> {
  const events = sql`(
      select organization_id, (occurred_at at time zone 'UTC')::date as day, coalesce(model, '') as model,
        count(*) filter (where model is not null) as calls,
        sum(case when category = 'system_message' then 0 else messages end) as messages, sum(input_tokens + output_tokens) as tokens,
        sum(coalesce(cost_micro_usd, 0)) as cost_micro_usd,
        count(*) filter (where model is not null and cost_micro_usd is null) as unpriced_calls
      from usage_events
      where occurred_at >= ${from}::date at time zone 'UTC' and occurred_at < ${until}::date at time zone 'UTC'
      group by 1, 2, 3)`
  await sql`
    with e as materialized ${events}, organizational as (
      insert into usage_days (day, organization_id, messages, tokens, cost_micro_usd, unpriced_calls)
      select day, organization_id, sum(messages), sum(tokens), sum(cost_micro_usd), sum(unpriced_calls) from e
      group by day, organization_id
      on conflict (day, organization_id) do update set messages = excluded.messages, tokens = excluded.tokens,
        cost_micro_usd = excluded.cost_micro_usd, unpriced_calls = excluded.unpriced_calls
      where (usage_days.messages, usage_days.tokens, usage_days.cost_micro_usd, usage_days.unpriced_calls)
        is distinct from (excluded.messages, excluded.tokens, excluded.cost_micro_usd, excluded.unpriced_calls)
    )
    insert into model_days (day, model, calls, messages, tokens, cost_micro_usd, unpriced_calls)
    select day, model, sum(calls), sum(messages), sum(tokens), sum(cost_micro_usd), sum(unpriced_calls) from e
    group by day, model
    on conflict (day, model) do update set calls = excluded.calls, messages = excluded.messages, tokens = excluded.tokens,
      cost_micro_usd = excluded.cost_micro_usd, unpriced_calls = excluded.unpriced_calls
    where (model_days.calls, model_days.messages, model_days.tokens, model_days.cost_micro_usd, model_days.unpriced_calls)
      is distinct from (excluded.calls, excluded.messages, excluded.tokens, excluded.cost_micro_usd, excluded.unpriced_calls)`.execute(
    db,
  )
}

/** Windows of this many whole days that have sums: with today, those that overviews look back on. */
export const WINDOWS: readonly number[] = Object.values(OVERVIEW_RANGES).map((days) => days - 1)

/** Sums up the windows that end with the days which have sums. Safe to repeat. */
export async function sumUpWindows({ db }: StoreContext, until: string): Promise<void> {
  await sql`
    insert into usage_windows (days, organization_id, until, messages, tokens, cost_micro_usd, unpriced_calls)
    select w.days, d.organization_id, ${until}::date, sum(d.messages), sum(d.tokens), sum(d.cost_micro_usd), sum(d.unpriced_calls)
    from unnest(${WINDOWS}::int[]) as w(days) join usage_days d on d.day >= ${until}::date - w.days and d.day < ${until}::date
    group by w.days, d.organization_id
    on conflict (days, organization_id) do update set until = excluded.until, messages = excluded.messages, tokens = excluded.tokens,
      cost_micro_usd = excluded.cost_micro_usd, unpriced_calls = excluded.unpriced_calls
    where (usage_windows.until, usage_windows.messages, usage_windows.tokens, usage_windows.cost_micro_usd, usage_windows.unpriced_calls)
      is distinct from (excluded.until, excluded.messages, excluded.tokens, excluded.cost_micro_usd, excluded.unpriced_calls)`.execute(
    db,
  )
  await sql`delete from usage_windows where until < ${until}::date`.execute(db)
}

// SQL of the runner: claiming turns, returning them, and recovering those of dead servers.
import { type RawBuilder, sql } from 'kysely'
import { isAnswerOwed } from '#server/domain/channels/health/owed-answers.store.ts'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { stopStreaming } from '../conversations/writes/answers.store.ts'
import { isDuePart } from '../outbox/deliver.store.ts'
import { renewPartLeases } from '../outbox/outbox.store.ts'
import { type AnswerBasis, isCalledOff } from './debounce.rules.ts'
import { hasLaterWords, isSuperseded, laterWords } from './supersede.store.ts'
import type { Claim } from './turn.ts'

/** How long a claim holds without renewal. The backstop for a server that is cut off or frozen; a dead one is noticed at once. */
export const LEASE = sql.lit('30 seconds')
/** Leases with more time left than this are not renewed. */
const LEASE_LEFT = sql.lit('20 seconds')

/** How far ahead a check sees work that becomes due by the clock: further than the longest pause between two checks. */
const LOOK_AHEAD = sql.lit('11 seconds')

/** A turn that was interrupted this often is a suspect: it may be the cause of the crashes. */
export const SUSPECT_CRASHES = 3
/** Exponential backoff after unexpected failures, seconds: the first delay and the maximum. */
const ACCIDENT_SECONDS = { first: 1, most: 60 }

/** The epoch of a turn's first claim. */
export const FIRST_EPOCH = 1

/**
 * Claims due turns, never two of one conversation, and none of a conversation that is being answered.
 * Organizations take turns: of each at most `perOrganization`, and of none in `fullOrganizations`.
 *
 * A suspect is claimed only by a server that holds none, one at a time, the least suspicious first: the turn that crashes servers then
 * crashes them without another suspect, so that turns which merely ran at the same time are answered.
 */
export async function claimTurns(
  ctx: StoreContext,
  wanted: { owner: number; limit: number; perOrganization: number; fullOrganizations: string[]; maySuspect: boolean },
): Promise<Claim[]> {
  const isSuspect = sql`t.crashes >= ${sql.lit(SUSPECT_CRASHES)}`
  const result = await sql<Claim>`
    with due as (
      select t.id, ${isSuspect} as is_suspect,
        row_number() over (partition by t.organization_id, ${isSuspect} order by t.not_before, t.id) as place,
        row_number() over (partition by ${isSuspect} order by t.crashes, t.not_before, t.id) as suspicion
      from turns t
      where t.status = 'pending' and t.not_before <= now() and t.organization_id <> all (${wanted.fullOrganizations}::text[])
        and (${wanted.maySuspect}::boolean or not ${isSuspect})
        and not exists (select from turns r where r.conversation_id = t.conversation_id and r.status = 'running')
    ), picked as (
      select t.id from turns t join due on due.id = t.id
      where t.status = 'pending'
        and case when due.is_suspect then due.suspicion = 1 else due.place <= ${wanted.perOrganization}::int end
      order by case when due.is_suspect then 1 else due.place end
      limit ${wanted.limit}::int
      for update of t skip locked
    )
    update turns set status = 'running', epoch = turns.epoch + 1, draft = null, owner = ${wanted.owner}::int, started_at = now(),
      lease_until = now() + interval ${LEASE}
    from picked where turns.id = picked.id
    returning turns.id as "turnId", turns.epoch, turns.crashes, turns.organization_id as "organizationId",
      turns.conversation_id as "conversationId"`.execute(ctx.db)
  return result.rows
}

/**
 * Puts running turns back among the pending ones; where the conversation has a newer pending turn already, that one takes over
 * (a follow-up becomes the answer) and inherits their crashes.
 * `delayMs`: of a planned retry; null after an unexpected failure.
 * `deadOwners`: returns the turns of these servers, or whose lease has expired.
 */
export async function returnTurns(
  ctx: StoreContext,
  which: { claim: Pick<Claim, 'turnId' | 'epoch'>; delayMs: number | null } | { deadOwners: number[] },
): Promise<number> {
  const isPlanned = 'claim' in which && which.delayMs !== null
  const delay =
    'claim' in which && which.delayMs === null
      ? sql`least(${sql.lit(ACCIDENT_SECONDS.first)} * power(2, t.crashes), ${sql.lit(ACCIDENT_SECONDS.most)}) * interval '1 second'`
      : sql`${'claim' in which ? which.delayMs : 0}::int * interval '1 millisecond'`
  const crashes = sql`t.crashes + ${sql.lit(isPlanned ? 0 : 1)}`
  const mine =
    'claim' in which
      ? sql`t.id = ${which.claim.turnId} and t.epoch = ${which.claim.epoch}::int`
      : sql`(t.owner = any (${which.deadOwners}::int[]) or t.lease_until < now())`
  const becomesReply = sql`(p.kind = 'follow_up' and merged.kind = 'reply')`
  // A pending turn is inserted only under the lock of the conversation's row: none appears between the two updates.
  await sql`
    select id from conversations where id in (select t.conversation_id from turns t where t.status = 'running' and ${mine})
    order by id for update`.execute(ctx.db)
  const merged = await sql`
    with merged as (
      update turns t set status = 'merged', outcome = 'merged', finished_at = now(), owner = null, lease_until = null, draft = null,
        crashes = ${crashes}
      where t.status = 'running' and ${mine}
        and exists (select from turns p where p.conversation_id = t.conversation_id and p.status = 'pending')
      returning t.id, t.organization_id, t.conversation_id, t.kind, t.attempts, t.crashes, now() + ${delay} as again
    ), stopped as (
      ${stopStreaming('merged')}
    ), answering as (
      update turns p set crashes = greatest(p.crashes, merged.crashes),
        kind = case when ${becomesReply} then 'reply' else p.kind end,
        attempts = case when ${becomesReply} then merged.attempts else p.attempts end,
        not_before = case when ${becomesReply} then merged.again else p.not_before end
      from merged
      where p.conversation_id = merged.conversation_id and p.status = 'pending'
        and (${becomesReply} or merged.crashes > p.crashes)
    )
    select id from merged`.execute(ctx.db)
  const returned = await sql`
    update turns t set status = 'pending', owner = null, lease_until = null, draft = null, crashes = ${crashes},
      not_before = now() + ${delay}
    where t.status = 'running' and ${mine}`.execute(ctx.db)
  return merged.rows.length + Number(returned.numAffectedRows ?? 0)
}

/** Work that a server finds by polling: what is due now, timers that have expired, and claims of other servers. */
export type Due = {
  turns: boolean
  parts: boolean
  timers: boolean
  followUps: boolean
  /** An operator's hours have begun or ended. */
  hours: boolean
  /** A change may allow a queued conversation to be assigned. */
  routing: boolean
  /** A customer has waited long for a person. */
  unattended: boolean
  /** A customer is to be asked for a rating. */
  ratings: boolean
  /** Customers who got no answer because of a connection that works again. */
  owed: boolean
  otherOwners: number[]
  /** A lease of another server has expired. */
  expired: boolean
  /** Milliseconds until something becomes due by the clock; null when nothing does within `LOOK_AHEAD`. */
  nextInMs: number | null
}

/**
 * Checks, without writing, whether there is work to do. Rows that this server holds are skipped: until a vacuum, the indexes keep an
 * entry of everything it has held since the last one.
 */
export async function lookAround(ctx: StoreContext, owner: number): Promise<Due> {
  const me = sql`${owner}::int`
  const result = await sql<Due>`
    with held as (
      select owner, lease_until from turns where status = 'running' and owner < ${me}
      union all select owner, lease_until from turns where status = 'running' and owner > ${me}
      union all select owner, lease_until from outbox where status in ('claimed', 'sending') and owner < ${me}
      union all select owner, lease_until from outbox where status in ('claimed', 'sending') and owner > ${me}
    )
    select exists (select from turns t where t.status = 'pending' and t.not_before <= now()
        and not exists (select from turns r where r.conversation_id = t.conversation_id and r.status = 'running')) as turns,
      exists (select from outbox o where ${isDuePart}) as parts,
      exists (select from conversations where resume_at <= now() and status = 'paused') as timers,
      exists (select from conversation_follow_ups where due_at <= now()) as "followUps",
      exists (select from operators where hours_change_at <= now()) as hours,
      exists (select from routing_signals) as routing,
      exists (select from conversations where unattended_at <= now()) as unattended,
      exists (select from conversation_ratings where ask_at <= now()) as ratings,
      ${isAnswerOwed} as owed,
      (select coalesce(json_agg(distinct held.owner), '[]') from held) as "otherOwners",
      exists (select from held where lease_until < now()) as expired,
      (select ceil(1000 * extract(epoch from min(at) - now()))::int from (
        select min(not_before) from turns where status = 'pending' and ${isSoon('not_before')}
        union all select min(not_before) from outbox where status = 'queued' and ${isSoon('not_before')}
        union all select min(resume_at) from conversations where status = 'paused' and ${isSoon('resume_at')}
        union all select min(due_at) from conversation_follow_ups where ${isSoon('due_at')}
        union all select min(unattended_at) from conversations where ${isSoon('unattended_at')}
        union all select min(ask_at) from conversation_ratings where ${isSoon('ask_at')}
        union all select min(hours_change_at) from operators where ${isSoon('hours_change_at')}
      ) next (at)) as "nextInMs"`.execute(ctx.db)
  const due = result.rows[0]
  if (!due) throw new Error('Looking around answered no row')
  return due
}

/** Whether the time in a column is in the future, but before the check after this one at the latest. */
function isSoon(column: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(column)} > now() and ${sql.ref(column)} < now() + interval ${LOOK_AHEAD})`
}

/** Whether a lease of this server has expired, such as after it was suspended. */
export async function hasLapsed(ctx: StoreContext, owner: number): Promise<boolean> {
  const result = await sql<{ lapsed: boolean }>`
    select exists (select from turns where status = 'running' and owner = ${owner}::int and lease_until < now())
      or exists (select from outbox where status in ('claimed', 'sending') and owner = ${owner}::int and lease_until < now())
      as lapsed`.execute(ctx.db)
  return result.rows[0]?.lapsed ?? false
}

/** Renews this server's leases on these turns and parts. */
export async function renewLeases(
  ctx: StoreContext,
  owner: number,
  held: { turns: string[]; parts: string[] },
): Promise<void> {
  await sql`update turns set lease_until = now() + interval ${LEASE}
    where id = any (${held.turns}::text[]) and owner = ${owner}::int and status = 'running'
      and lease_until < now() + interval ${LEASE_LEFT}`.execute(ctx.db)
  await renewPartLeases(ctx, { owner, ids: held.parts, leastLeft: LEASE_LEFT })
}

/** A turn that is being generated. `basis` is null until it was read. */
export type Watched = { claim: Claim; basis: AnswerBasis | null }
export type Unwanted = { id: Id<'turns'>; reason: 'unwanted' | 'superseded' }

/**
 * Of these turns, those whose answer is no longer wanted. `unwanted`: paused, stopped, ended, or taken over by another server.
 * `superseded`: the customer has written more, and the next turn answers all of it; later on, only when they called a person.
 */
export async function listUnwanted(ctx: StoreContext, watched: Watched[]): Promise<Unwanted[]> {
  const list = <Value>(value: (work: Watched) => Value) => watched.map(value)
  const basis = { answersThrough: sql`claim.answers_through`, supersedableSeconds: sql`claim.supersedable_seconds` }
  const result = await sql<{ id: Id<'turns'>; reason: 'unwanted' | 'superseded' | 'late'; words: string[] | null }>`
    select claim.id, case when c.id is null then 'unwanted' when ${isSuperseded(basis)} then 'superseded' else 'late' end as reason,
      case when c.id is not null then ${laterWords(basis.answersThrough)} end as words
    from unnest(${list(({ claim }) => claim.turnId)}::text[], ${list(({ claim }) => claim.epoch)}::int[],
      ${list(({ basis }) => basis?.pauseEpoch ?? null)}::int[], ${list(({ basis }) => basis?.answersThrough ?? null)}::bigint[],
      ${list(({ basis }) => basis?.supersedableSeconds ?? null)}::int[])
      as claim (id, epoch, pause_epoch, answers_through, supersedable_seconds)
    left join turns t on t.id = claim.id and t.epoch = claim.epoch and t.status = 'running'
    left join conversations c on c.id = t.conversation_id and c.status = 'active'
      and (claim.pause_epoch is null or c.pause_epoch = claim.pause_epoch)
    where c.id is null or ${hasLaterWords(basis.answersThrough)}`.execute(ctx.db)
  return result.rows.flatMap(({ id, reason, words }) => {
    if (reason !== 'late') return [{ id, reason }]
    const claimed = watched.find(({ claim }) => claim.turnId === id)
    return claimed?.basis && isCalledOff(claimed.basis, words ?? []) ? [{ id, reason: 'superseded' as const }] : []
  })
}

/** Whether a turn, a part or a follow-up is due now, including those claimed by any server. */
export async function hasWork(ctx: StoreContext): Promise<boolean> {
  const result = await sql<{ busy: boolean }>`
    select exists (select from turns where status = 'running' or (status = 'pending' and not_before <= now()))
      or exists (select from outbox o where o.status in ('claimed', 'sending') or ${isDuePart})
      or exists (select from conversations where unattended_at <= now()) or ${isAnswerOwed}
      or exists (select from conversation_follow_ups where due_at <= now()) or exists (select from conversation_ratings where ask_at <= now())
      or exists (select from operators where hours_change_at <= now()) or exists (select from routing_signals)
      or exists (select from conversations where resume_at <= now() and status = 'paused') as busy`.execute(ctx.db)
  return result.rows[0]?.busy ?? false
}

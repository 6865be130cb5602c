// SQL of finishing a turn: the answer, its parts and the turn itself change atomically.
import { type RawBuilder, sql } from 'kysely'
import type { DraftReaders } from '#server/domain/messaging/turns/drafts.store.ts'
import type { ModelCall } from '#server/integrations/llm/llm.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { MessageSource } from '#shared/messaging/conversations.ts'
import { noteAnswer, stopStreaming, storeAnswer } from '../conversations/writes/answers.store.ts'
import { storeFollowUp } from '../conversations/writes/follow-ups.store.ts'
import { beginParts, firstPermit } from '../outbox/answer-parts.store.ts'
import type { SendPermit } from '../outbox/deliver.store.ts'
import type { PacedPart } from '../outbox/split.ts'
import { basisOf, isCalledOff } from './debounce.rules.ts'
import { hasLaterWords, isSuperseded, laterWords } from './supersede.store.ts'
import { dayOf, planFollowUp } from './turn.rules.ts'
import type { Claim, Turn } from './turn.ts'

/** The error that the database function `demand` raises. */
const UNDEMANDED = 'DM001'

export type FinishedAnswer = {
  text: string
  /** What is sent to the channel, in order, and in the test chat what would be; empty when the channel shows the message itself. */
  parts: PacedPart[]
  /** Buttons below the last part; may be empty. */
  choices: string[]
  sources: MessageSource[]
  /** Null when no model was called. */
  call: ModelCall | null
  /** Sentences that state what the model was not given. */
  unfounded: string[]
  answersThrough: number
}
/** `permit`: it is being sent, by this process; null: it is not. */
export type StoredPart = {
  id: Id<'outbox'>
  messageId: Id<'messages'>
  part: number
  isClaimed: boolean
  permit: SendPermit | null
}
/**
 * `unwanted`: paused or ended meanwhile. `superseded`: the customer has written more meanwhile, and the next turn answers all of it.
 * `fenced`: this process no longer owns the turn. Nothing was written in any of these cases.
 */
export type FinishResult =
  | { status: 'finished'; parts: StoredPart[] }
  | { status: 'unwanted' | 'superseded' | 'fenced' }

/**
 * Writes the answer of a turn, if it is still wanted and still ours.
 *
 * A pause that commits first changes `pause_epoch`, and nothing is written. One that comes later waits for this commit on the
 * conversation's row, and then withholds the parts. A first part that is due is claimed for this process at once. The others follow by
 * the pace; each is scheduled exactly when the one before it is sent.
 */
export async function finishReplied(
  ctx: OrgStoreContext,
  turn: Turn,
  answer: FinishedAnswer,
  owner: number,
): Promise<FinishResult> {
  const later = laterNow(ctx, turn)
  const conditions = { owner, later, mayBeLeft: true, begins: null }
  let written = await writeReplied(ctx, turn, answer, { ...conditions, isStale: later.any })
  if (!written.wanted && written.laterWords.length > 0) {
    if (written.superseded || isCalledOff(basisOf(turn), written.laterWords)) return { status: 'superseded' }
    // Too late to make the answer stale: the later messages get an answer of their own.
    written = await writeReplied(ctx, turn, answer, { ...conditions, isStale: sql<boolean>`false` })
  }
  if (!written.wanted) return { status: 'unwanted' }
  if (!written.held) throw new FencedError()
  return { status: 'finished', parts: written.parts }
}

/**
 * The same in one statement, that others may travel with: when the answer is not wanted, or the turn is not ours, they are undone with it.
 * `begins`: the id under which a first part that is due is written as being sent already, where its connection may send, and as much as
 * there is; null: it is claimed.
 * @throws an error that `isUndemanded` knows
 */
export async function finishOrUndo(
  ctx: OrgStoreContext,
  turn: Turn,
  answer: FinishedAnswer,
  { owner, begins }: { owner: number; begins: Id<'outbox'> | null },
): Promise<Pick<Written, 'parts' | 'hasNext'>> {
  const later = laterNow(ctx, turn)
  const written = await writeReplied(ctx, turn, answer, { owner, begins, later, isStale: later.any, mayBeLeft: false })
  const parts = written.parts.map(({ permit, ...part }) => ({
    ...part,
    permit: permit && { ...permit, begunAt: new Date(permit.begunAt) },
  }))
  return { parts, hasNext: written.hasNext }
}

/** Whether a transaction was undone because its answer is not wanted, or not ours to give. */
export function isStaleWrite(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNDEMANDED
}

type Written = {
  wanted: boolean
  superseded: boolean
  laterWords: string[]
  held: boolean
  parts: StoredPart[]
  /** Another turn of the conversation waits. One that commits while this waits for the conversation's row is not seen: the clock finds it. */
  hasNext: boolean
}

type Conditions = {
  owner: number
  begins: Id<'outbox'> | null
  later: ReturnType<typeof laterNow>
  /** On this nothing is written. */
  isStale: RawBuilder<boolean>
  /** Whether the statement may end without having written the answer. */
  mayBeLeft: boolean
}

async function writeReplied(
  ctx: OrgStoreContext,
  turn: Turn,
  answer: FinishedAnswer,
  { owner, begins, later, isStale, mayBeLeft }: Conditions,
): Promise<Written> {
  const parts = turn.connection ? answer.parts : []
  const followUp = planFollowUp(turn)
  const result = await sql<Written>`
    with conversation as (
      ${noteAnswer(ctx, turn, { text: answer.text, answersThrough: answer.answersThrough, today: dayOf(turn, Date.now()), isStale })}
    ), ${followUp ? storeFollowUp(followUp) : sql``}turn as (
      update turns set status = 'done', outcome = 'replied', finished_at = now(), owner = null, lease_until = null, draft = null,
        answered_before = ${turn.conversation.answeredThrough}::bigint, read_through = ${readThrough(turn)}::bigint
      where id = ${turn.turnId} and epoch = ${turn.epoch}::int and status = 'running' and exists (select from conversation)
      returning id, organization_id, conversation_id
    ), message as (
      ${storeAnswer(turn, answer)}
    ), ${beginParts(ctx, turn.connection?.id ?? null, {
      ...{ owner, begins, chatId: turn.conversation.chatId },
      parts: parts.map((part, place) => ({ ...part, id: place === 0 && begins ? begins : newId('outbox') })),
    })}
    select ${mayBeLeft ? sql`` : isDemanded}exists (select from conversation) as wanted, ${later.superseding} as superseded, exists (select from turn) as held,
      case when exists (select from conversation) or not ${later.any} then '[]' else ${later.words} end as "laterWords",
      (select coalesce(json_agg(json_build_object('id', id, 'messageId', message_id, 'part', part,
        'isClaimed', status = 'claimed', 'permit', case when status = 'sending' then (select ${firstPermit} from sender) end) order by part), '[]')
        from part) as parts,
      exists (select from turns t where t.conversation_id = ${turn.conversationId} and t.status = 'pending') as "hasNext"`.execute(
    ctx.db,
  )
  const [row] = result.rows
  if (!row) throw new Error('Writing an answer answered no row')
  return row
}

/** An answer that is wanted, and ours. */
const isDemanded = sql`demand(exists (select from conversation) and exists (select from turn), 'the answer is not wanted'), `

/** SQL conditions on the customer's later messages, and their texts. */
function laterNow(ctx: OrgStoreContext, turn: Turn) {
  const basis = basisOf(turn)
  const through = sql`${basis.answersThrough}::bigint`
  const ofTurn = (condition: RawBuilder<boolean>) => sql<boolean>`exists (select from turns t
    where t.id = ${turn.turnId} and t.organization_id = ${ctx.organizationId} and ${condition})`
  return {
    any: ofTurn(hasLaterWords(through)),
    superseding: ofTurn(
      isSuperseded({ answersThrough: through, supersedableSeconds: sql`${basis.supersedableSeconds}::int` }),
    ),
    words: sql<string[]>`(select ${laterWords(through)} from turns t where t.id = ${turn.turnId})`,
  }
}

/** Thrown when the turn was taken over, to roll back everything written in the same transaction. */
export class FencedError extends Error {
  override name = 'FencedError'
}

/**
 * Ends a turn without an answer; the part of one that was shown so far stays, with the status `stopped`.
 * Safe to repeat. @returns false, and does nothing, when the turn is not ours any more
 */
export async function endTurn(
  ctx: OrgStoreContext,
  turn: Turn,
  end: { status: 'done' | 'failed'; outcome: string },
): Promise<boolean> {
  const result = await sql<{ held: boolean }>`
    with ended as (
      update turns set status = ${end.status}, outcome = ${end.outcome}, finished_at = now(), owner = null, lease_until = null, draft = null,
        answered_before = ${turn.conversation.answeredThrough}::bigint, read_through = ${readThrough(turn)}::bigint
      where id = ${turn.turnId} and organization_id = ${ctx.organizationId} and epoch = ${turn.epoch}::int
        and status = 'running'
      returning id, organization_id
    ), stopped as (
      ${stopStreaming('ended')}
    )
    select exists (select from ended) as held`.execute(ctx.db)
  return result.rows[0]?.held ?? false
}

/** Sequence of the newest message that a turn has read. */
function readThrough({ history }: Turn): number {
  return history.at(-1)?.sequence ?? 0
}

/** Records a failed model call on the turn. */
export async function addAttempt(ctx: OrgStoreContext, claim: Claim, attempt: Record<string, unknown>): Promise<void> {
  await sql`update turns set attempts = attempts || ${JSON.stringify([attempt])}::jsonb
    where id = ${claim.turnId} and organization_id = ${ctx.organizationId} and epoch = ${claim.epoch}::int
      and status = 'running'`.execute(ctx.db)
}

/** Shows an answer that is still being generated. No effect once the turn was ended or taken over. */
export async function writeDraft(
  ctx: OrgStoreContext,
  claim: Claim,
  text: string,
  readers: DraftReaders,
): Promise<void> {
  await sql`update turns set draft = ${text}, is_draft_for_team = ${readers === 'team'}
    where id = ${claim.turnId} and organization_id = ${ctx.organizationId} and epoch = ${claim.epoch}::int and status = 'running'`.execute(
    ctx.db,
  )
}

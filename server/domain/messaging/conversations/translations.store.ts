// SQL of translations of customers' messages: each message is translated into a language once, for the first caller who asks.
import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { TranslationLanguage } from '#shared/messaging/operator-tools.ts'

/** A customer's message that is to be translated. */
export type Translatable = {
  messageId: Id<'messages'>
  conversationId: Id<'conversations'>
  language: TranslationLanguage
  text: string
}

/** A message of a customer. @throws AppError not_found for any other message */
export async function getTranslatable(
  ctx: OrgStoreContext,
  messageId: Id<'messages'>,
  language: TranslationLanguage,
): Promise<Translatable> {
  const row = await ctx.db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .where('messages.organization_id', '=', ctx.organizationId)
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('conversations.channel', '<>', 'test')
    .where('messages.author', '=', 'customer')
    .where('messages.id', '=', messageId)
    .select(['messages.text', 'messages.conversation_id'])
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return { messageId, language, text: row.text, conversationId: row.conversation_id }
}

/** Null: there is none of the present text. `text` null: another caller is writing it. */
export async function findTranslation(
  ctx: OrgStoreContext,
  what: Translatable,
): Promise<{ text: string | null } | null> {
  const row = await ctx.db
    .selectFrom('message_translations')
    .where('organization_id', '=', ctx.organizationId)
    .where('message_id', '=', what.messageId)
    .where('language', '=', what.language)
    .where('source_digest', '=', digestOf(what))
    .where((eb) => eb.or([eb('text', 'is not', null), eb('claimed_until', '>', sql<Date>`now()`)]))
    .select('text')
    .executeTakeFirst()
  return row ?? null
}

/** Claims a translation for so long. @returns false: there is one, another caller writes it, or the message is gone */
export async function claimTranslation(ctx: OrgStoreContext, what: Translatable, forMs: number): Promise<boolean> {
  const { rows } = await sql`
    insert into message_translations as t (organization_id, message_id, language, source_digest, claimed_until)
    select organization_id, id, ${what.language}, ${digestOf(what)}, now() + ${forMs}::int * interval '1 millisecond'
    from messages where organization_id = ${ctx.organizationId} and id = ${what.messageId}
    on conflict (message_id, language) do update
      set source_digest = excluded.source_digest, text = null, claimed_until = excluded.claimed_until
      where t.source_digest <> excluded.source_digest or (t.text is null and t.claimed_until <= now())
    returning true`.execute(ctx.db)
  return rows.length > 0
}

/** Stores a translation, unless the message is gone or has changed. */
export async function saveTranslation(ctx: OrgStoreContext, what: Translatable, text: string): Promise<void> {
  await ctx.db
    .updateTable('message_translations')
    .set({ text })
    .where('organization_id', '=', ctx.organizationId)
    .where('message_id', '=', what.messageId)
    .where('language', '=', what.language)
    .where('source_digest', '=', digestOf(what))
    .execute()
}

/** Releases a claim without a translation: the next caller may try. */
export async function releaseTranslation(ctx: OrgStoreContext, what: Translatable): Promise<void> {
  await ctx.db
    .deleteFrom('message_translations')
    .where('organization_id', '=', ctx.organizationId)
    .where('message_id', '=', what.messageId)
    .where('language', '=', what.language)
    .where('source_digest', '=', digestOf(what))
    .where('text', 'is', null)
    .execute()
}

function digestOf({ text }: Translatable): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** A statement: removes the translations of messages that a CTE `changed` names (id), as their text has changed. */
export function forgetTranslations(ctx: OrgStoreContext): RawBuilder<unknown> {
  return sql`delete from message_translations t using changed
      where t.organization_id = ${ctx.organizationId} and t.message_id = changed.id`
}

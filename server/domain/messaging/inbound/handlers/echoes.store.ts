// SQL that matches messages of a connected account against the parts that we have sent or are sending through it.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { sentText } from '#server/platform/lib/text/sent-text.ts'
import type { Markup } from '#shared/channels/manifest.ts'
import type { Id } from '#shared/ids.ts'
import { isTyped } from '../../outbox/deliver.store.ts'

/** A message of the account, as reported by the provider. */
export type OwnMessage = {
  connectionId: Id<'channelConnections'>
  chatId: string
  externalMessageId: string
  text: string
  /** It is a file without text. */
  isFile?: true
}

/** Files cannot be matched by text: one that comes later than this after the last update of our part was sent by a person. */
const FILE_ECHO = sql.lit('10 minutes')

/**
 * `isOurs`: we have sent it, or are sending the same text, or any file if it is one, to the chat. `unknownId`: a part with this text, or a
 * recent one with a file, whose send outcome is unknown; null without one. `isUnderWay`: something is being sent to the chat.
 */
export type EchoTrace = { isOurs: boolean; unknownId: Id<'outbox'> | null; isUnderWay: boolean }

/** A part that is being sent to the chat, or whose send outcome is unknown. */
type Trail = { id: Id<'outbox'>; isSending: boolean; isNamed: boolean; isFile: boolean; isLate: boolean } & Typed
type Typed = { text: string; isPlain: boolean }

/**
 * Looks for a message of the account among the parts sent, or being sent, to its chat.
 *
 * @param markup of the channel: the provider reports the text as rendered
 */
export async function traceEcho(
  ctx: OrgStoreContext,
  { connectionId, chatId, externalMessageId, text, isFile }: OwnMessage,
  markup: Markup,
): Promise<EchoTrace> {
  const { rows } = await sql<Trail>`
    select o.id, o.status = 'sending' as "isSending", o.external_message_id is not null as "isNamed", o.text, ${isTyped('o')} as "isPlain",
      o.attachment_id is not null as "isFile", o.updated_at < now() - interval ${FILE_ECHO} as "isLate"
    from outbox o join conversations c on c.organization_id = o.organization_id and c.id = o.conversation_id
    where o.organization_id = ${ctx.organizationId} and c.connection_id = ${connectionId} and c.external_chat_id = ${chatId}
      and (o.status = 'sending' or (o.status = 'unknown' and o.error is distinct from 'not_taken'))
    order by o.sequence`.execute(ctx.db)
  const isSame = (part: Trail) => (isFile ? part.isFile : !part.isFile && saysSame(part, text, markup))
  const unknown = rows.find((part) => !part.isSending && !part.isNamed && isSame(part) && !(isFile && part.isLate))
  const isSent = rows.some((part) => part.isSending && isSame(part))
  return {
    isOurs: isSent || (await isKnown(ctx, connectionId, externalMessageId)),
    unknownId: unknown?.id ?? null,
    isUnderWay: rows.some(({ isSending }) => isSending),
  }
}

/** Providers trim what they are given. */
function saysSame({ text, isPlain }: Typed, reportedText: string, markup: Markup): boolean {
  return sentText(text, isPlain ? null : markup).trim() === reportedText.trim()
}

async function isKnown(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  externalMessageId: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from outbox where organization_id = ${ctx.organizationId} and connection_id = ${connectionId}
      and external_message_id = ${externalMessageId} limit 1`.execute(ctx.db)
  return rows.length > 0
}

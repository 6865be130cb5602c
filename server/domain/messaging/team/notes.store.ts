// SQL of the team's notes on a conversation, and of whom they mention.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { NOTES_SHOWN } from '#shared/limits.ts'
import type { Mention, Note } from '#shared/messaging/operator-tools.ts'
import type { Member } from '#shared/organizations/organizations.ts'
import { calledName } from '../customers/contacts.store.ts'

const EXCERPT_LENGTH = 200
const MENTIONS_SHOWN = 100

/** The newest notes on conversations, oldest first. */
export async function listNotes(ctx: OrgStoreContext, conversationIds: Id<'conversations'>[]): Promise<Note[]> {
  const rows = await ctx.db
    .selectFrom('conversation_notes')
    .leftJoin('users', 'users.id', 'conversation_notes.user_id')
    .where('conversation_notes.organization_id', '=', ctx.organizationId)
    .where('conversation_notes.conversation_id', 'in', conversationIds)
    .select(['conversation_notes.id', 'conversation_notes.text', 'conversation_notes.created_at'])
    .select(['users.id as author_id', 'users.name', 'users.image', 'users.job_title'])
    .orderBy('conversation_notes.created_at', 'desc')
    .orderBy('conversation_notes.id', 'desc')
    .limit(NOTES_SHOWN)
    .execute()
  const mentioned = await listMentioned(ctx, conversationIds)
  return rows.reverse().map((row) => ({
    _id: row.id,
    author: authorOf(row),
    text: row.text,
    mentions: mentioned.get(row.id) ?? [],
    createdAt: row.created_at.getTime(),
  }))
}

async function listMentioned(ctx: OrgStoreContext, conversationIds: Id<'conversations'>[]) {
  const rows = await ctx.db
    .selectFrom('note_mentions')
    .innerJoin('users', 'users.id', 'note_mentions.user_id')
    .where('note_mentions.organization_id', '=', ctx.organizationId)
    .where('note_mentions.conversation_id', 'in', conversationIds)
    .select(['note_mentions.note_id', 'users.id as author_id'])
    .select(['users.name', 'users.image', 'users.job_title'])
    .orderBy('users.name')
    .execute()
  const found = new Map<Id<'conversationNotes'>, Member[]>()
  for (const row of rows) {
    const person = authorOf(row)
    if (person) found.set(row.note_id, [...(found.get(row.note_id) ?? []), person])
  }
  return found
}

type PersonRow = { author_id: Id<'users'> | null; name: string | null; image: string | null; job_title: string | null }

/** The person of a row; null when the account is gone. */
function authorOf(row: PersonRow): Member | null {
  const { author_id: id, name, job_title: jobTitle } = row
  return id && { _id: id, name: name ?? '', avatar: row.image || null, jobTitle: jobTitle ?? '' }
}

/** Adds a note and its mentions of members. */
export async function insertNote(
  ctx: OrgStoreContext,
  note: { conversationId: Id<'conversations'>; userId: Id<'users'>; text: string; mentions: Id<'users'>[] },
): Promise<Id<'conversationNotes'>> {
  const id = newId('conversationNotes')
  const place = { organization_id: ctx.organizationId, conversation_id: note.conversationId }
  await ctx.db
    .insertInto('conversation_notes')
    .values({ ...place, id, user_id: note.userId, text: note.text })
    .execute()
  if (note.mentions.length > 0) {
    await ctx.db
      .insertInto('note_mentions')
      .values(note.mentions.map((userId) => ({ ...place, note_id: id, user_id: userId, seen_at: null })))
      .execute()
  }
  return id
}

/** The customer of the conversation that an author's note is on; null: unknown. @throws AppError not_found for another author's note */
export async function getNoteCustomer(
  ctx: OrgStoreContext,
  id: Id<'conversationNotes'>,
  authorId: Id<'users'>,
): Promise<Id<'customers'> | null> {
  const row = await ctx.db
    .selectFrom('conversation_notes')
    .innerJoin('conversations', 'conversations.id', 'conversation_notes.conversation_id')
    .where('conversation_notes.organization_id', '=', ctx.organizationId)
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('conversation_notes.id', '=', id)
    .where('conversation_notes.user_id', '=', authorId)
    .select('conversations.customer_id')
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row.customer_id
}

/** Removes a note of one author. @throws AppError not_found for another author's */
export async function deleteNote(
  ctx: OrgStoreContext,
  id: Id<'conversationNotes'>,
  authorId: Id<'users'>,
): Promise<void> {
  const removed = await ctx.db
    .deleteFrom('conversation_notes')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('user_id', '=', authorId)
    .returning('id')
    .executeTakeFirst()
  if (!removed) throw new AppError('not_found')
}

/** Notes that mention a user and that they have not seen, newest first. */
export async function listUnseen(ctx: OrgStoreContext, userId: Id<'users'>): Promise<Mention[]> {
  const rows = await ctx.db
    .selectFrom('note_mentions')
    .innerJoin('conversation_notes', 'conversation_notes.id', 'note_mentions.note_id')
    .innerJoin('conversations', 'conversations.id', 'note_mentions.conversation_id')
    .leftJoin('customers', 'customers.id', 'conversations.customer_id')
    .leftJoin('customers as people', 'people.id', 'customers.person_id')
    .leftJoin('users', 'users.id', 'conversation_notes.user_id')
    .where('note_mentions.organization_id', '=', ctx.organizationId)
    .where('conversation_notes.organization_id', '=', ctx.organizationId)
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('note_mentions.user_id', '=', userId)
    .where('note_mentions.seen_at', 'is', null)
    .select(['note_mentions.note_id', 'note_mentions.conversation_id', 'conversation_notes.text'])
    .select(['conversation_notes.created_at', calledName.as('customer_name'), 'users.id as author_id'])
    .select(['users.name', 'users.image', 'users.job_title'])
    .orderBy('conversation_notes.created_at', 'desc')
    .limit(MENTIONS_SHOWN)
    .execute()
  return rows.map((row) => ({
    noteId: row.note_id,
    conversationId: row.conversation_id,
    customerName: row.customer_name,
    author: authorOf(row),
    text: row.text.slice(0, EXCERPT_LENGTH),
    at: row.created_at.getTime(),
  }))
}

/** A user has seen the notes that mention them in a conversation. */
export async function markSeen(
  ctx: OrgStoreContext,
  conversationIds: Id<'conversations'>[],
  userId: Id<'users'>,
  now: Date,
): Promise<void> {
  await ctx.db
    .updateTable('note_mentions')
    .set({ seen_at: now })
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', 'in', conversationIds)
    .where('user_id', '=', userId)
    .where('seen_at', 'is', null)
    .execute()
}

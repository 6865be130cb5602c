// SQL for the outbox of letters.
import type { StoreContext } from '#server/platform/db/database.ts'
import type { LettersTable } from '#server/platform/db/tables/letters.ts'

/** A letter that is being sent. `content`: encrypted. */
export type TakenLetter = {
  id: string
  recipient: string
  language: 'ru' | 'en'
  content: string
  attempts: number
  expiresAt: Date | null
}

type NewLetter = Pick<LettersTable, 'id' | 'recipient' | 'kind' | 'language'> & {
  content: string
  now: Date
  expiresAt: Date | null
}

/** Puts a letter into the outbox. */
export async function insertLetter(ctx: StoreContext, { now, expiresAt, ...letter }: NewLetter): Promise<void> {
  const times = { created_at: now, next_attempt_at: now, expires_at: expiresAt, sent_at: null, last_error: null }
  await ctx.db
    .insertInto('letters')
    .values({ ...letter, ...times })
    .execute()
}

/** Takes one letter that is due. Undefined: another has taken it, or it waits for longer. */
export async function takeLetter(ctx: StoreContext, id: string, now: Date): Promise<TakenLetter | undefined> {
  const row = await ctx.db
    .updateTable('letters')
    .set((eb) => ({ state: 'sending' as const, attempts: eb('attempts', '+', 1), next_attempt_at: now }))
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('next_attempt_at', '<=', now)
    .returning(['id', 'recipient', 'language', 'content', 'attempts', 'expires_at'])
    .executeTakeFirst()
  if (!row) return undefined
  const { content, expires_at: expiresAt, ...letter } = row
  return { ...letter, content: content ?? '', expiresAt }
}

/** What has become of a letter that was taken. */
export type Outcome =
  | { state: 'sent' | 'kept' }
  | { state: 'failed'; error: string }
  | { state: 'waiting'; error: string; at: Date }

/** Records an outcome; the text of what was sent or has failed is removed. */
export async function setOutcome(ctx: StoreContext, id: string, outcome: Outcome, now: Date): Promise<void> {
  const { state } = outcome
  await ctx.db
    .updateTable('letters')
    .set({
      state,
      last_error: 'error' in outcome ? outcome.error : null,
      ...((state === 'sent' || state === 'failed') && { content: null }),
      ...((state === 'sent' || state === 'kept') && { sent_at: now }),
      ...('at' in outcome && { next_attempt_at: outcome.at }),
    })
    .where('id', '=', id)
    // One that was given up may have been taken all the same.
    .where('state', 'in', state === 'waiting' ? ['sending'] : ['sending', 'failed'])
    .execute()
}

/** Gives up letters whose sending was cut off before a moment: whether the mail server took them is unknown. @returns how many */
export async function giveUpCutOff(ctx: StoreContext, before: Date): Promise<number> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('letters')
    .set({ state: 'failed', last_error: 'cut_off', content: null })
    .where('state', '=', 'sending')
    .where('next_attempt_at', '<', before)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Letters that have been due since before a moment, the longest first. */
export async function listOverdue(ctx: StoreContext, before: Date): Promise<string[]> {
  const due = ctx.db.selectFrom('letters').where('state', '=', 'waiting').where('next_attempt_at', '<', before)
  const rows = await due.select('id').orderBy('next_attempt_at').limit(100).execute()
  return rows.map(({ id }) => id)
}

/** Deletes letters that were written before a moment. */
export async function deleteLetters(ctx: StoreContext, before: Date): Promise<void> {
  await ctx.db.deleteFrom('letters').where('created_at', '<', before).execute()
}

/** The last letters, the newest first. */
export async function listLetters(ctx: StoreContext, limit: number) {
  return ctx.db
    .selectFrom('letters')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

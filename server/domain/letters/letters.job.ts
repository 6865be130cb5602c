// Writes letters into the outbox and sends them, at least five times within a day while the mail server cannot be reached. A letter that the
// server has taken is not sent again, and neither is one of which that is unknown.
import { getBrands } from '#server/domain/branding/branding.store.ts'
import type { Services } from '#server/functions/services.ts'
import { isRefused, isUnsent } from '#server/integrations/mail/email.ts'
import type { Letter, LetterContent, LetterKind } from '#server/integrations/mail/letters.ts'
import type { Db } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { brandOf, senderOf } from '#shared/organizations/branding.ts'
import * as store from './letters.store.ts'
import { letterText } from './letters.words.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Minutes between attempts. */
const WAITS = [1, 5, 15, 60, 240, 720, 720]
/** How long a letter is kept after it was written. */
const KEPT_MS = 7 * DAY_MS
/** A run takes less; what has been in sending for longer was cut off. */
const CUT_OFF_MS = 10 * MINUTE_MS
/** Why a letter failed, in the words of the mail server; longer answers are cut. */
const ERROR_MAX = 300
/** How long the links of letters are good. */
const LASTS_MS: Partial<Record<LetterKind, number>> = { 'reset-password': 60 * MINUTE_MS, 'confirm-email': DAY_MS }
const WRITE = { isolation: 'read committed' } as const

/** What writing a letter needs; `db` may be a transaction of any scope. */
export type LetterContext = { db: Db } & Pick<Services, 'jobs' | 'secrets'>

/** Writes a letter inside the caller's transaction: it is sent if, and only if, that commits. */
export async function sendLetter(ctx: LetterContext, { to, language, ...content }: Letter): Promise<void> {
  const [id, now] = [newId(), new Date()]
  const lasts = content.kind === 'invitation' ? content.days * DAY_MS : LASTS_MS[content.kind]
  await store.insertLetter(ctx, {
    ...{ id, recipient: to, kind: content.kind, language, now },
    content: ctx.secrets.encrypt(JSON.stringify(content), placeOf(id)),
    expiresAt: lasts === undefined ? null : new Date(now.getTime() + lasts),
  })
  await ctx.jobs.send(ctx.db, sendLetterJob, { letterId: id })
}

type SendServices = Pick<Services, 'database' | 'mailer' | 'secrets' | 'publicUrl' | 'jobs'>

/** Sends one letter, if it is still to be sent. */
export const sendLetterJob = defineJob<{ letterId: string }, SendServices>({
  name: 'letters.send',
  limitSeconds: 300,
  concurrency: 4,
  async run(ctx, { letterId }) {
    const { database } = ctx
    const take = (db: Db) => store.takeLetter({ db }, letterId, new Date())
    const letter = await database.system('letters: take', take, WRITE)
    if (!letter) return
    const outcome = await tryLetter(ctx, letter)
    await database.system(
      'letters: outcome',
      async (db) => {
        await store.setOutcome({ db }, letterId, outcome, new Date())
        if ('at' in outcome) await ctx.jobs.send(db, sendLetterJob, { letterId }, { at: outcome.at })
      },
      WRITE,
    )
  },
})

/** Hourly: sends what is overdue, gives up what was cut off, and deletes old letters. */
export const tidyLettersJob = defineJob<object, SendServices>({
  name: 'letters.tidy',
  limitSeconds: 60,
  concurrency: 1,
  schedule: '29 * * * *',
  run: (ctx) => tidyLetters(ctx, Date.now()),
})

/** Safe to repeat. */
export async function tidyLetters({ database, jobs }: SendServices, now: number): Promise<void> {
  await database.system(
    'letters: tidy',
    async (db) => {
      await store.deleteLetters({ db }, new Date(now - KEPT_MS))
      await store.giveUpCutOff({ db }, new Date(now - CUT_OFF_MS))
      const overdue = await store.listOverdue({ db }, new Date(now - CUT_OFF_MS))
      await jobs.sendAll(
        db,
        sendLetterJob,
        overdue.map((letterId) => ({ letterId })),
      )
    },
    WRITE,
  )
}

/** What a stored letter says. */
export function openLetter({ secrets }: Pick<Services, 'secrets'>, { id, content }: { id: string; content: string }) {
  return JSON.parse(secrets.decrypt(content, placeOf(id))) as LetterContent
}

/** Whose letter it is: that organization's brand is over it; null: the installation's. */
export function organizationOf(content: LetterContent): Id<'organizations'> | null {
  return content.kind === 'invitation' ? (content.organizationId ?? null) : null
}

/** Never throws. */
async function tryLetter(ctx: SendServices, letter: store.TakenLetter): Promise<store.Outcome> {
  const now = Date.now()
  if (letter.expiresAt && letter.expiresAt.getTime() <= now) return { state: 'failed', error: 'expired' }
  try {
    const content = openLetter(ctx, letter)
    const organizationId = organizationOf(content)
    const { installation, own } = await ctx.database.system(
      'letters: brand',
      (db) => getBrands({ db }, organizationId),
      { readOnly: true },
    )
    const frame = { brand: brandOf(installation, own), publicUrl: ctx.publicUrl }
    const written = letterText(content, letter.language, frame)
    await ctx.mailer.send({ to: letter.recipient, id: letter.id, sender: senderOf(installation, own), ...written })
    return { state: ctx.mailer.isConfigured ? 'sent' : 'kept' }
  } catch (error) {
    return outcomeOf(error, letter.attempts, now)
  }
}

function outcomeOf(error: unknown, attempts: number, now: number): store.Outcome {
  const text = (error instanceof Error ? error.message : String(error)).slice(0, ERROR_MAX)
  if (isRefused(error)) return { state: 'failed', error: text }
  const minutes = WAITS[attempts - 1]
  if (!isUnsent(error) || minutes === undefined) return { state: 'failed', error: text }
  return { state: 'waiting', error: text, at: new Date(now + minutes * MINUTE_MS) }
}

function placeOf(id: string): string {
  return `letters|${id}|content`
}

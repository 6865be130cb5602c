// SQL of the letters of the installation: how many wait, and when one was sent last. Nothing of what they say, and to whom.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { MailHealth } from '#shared/organizations/health.ts'

type Row = Omit<MailHealth, 'isConfigured' | 'oldestAt' | 'lastSentAt'> & {
  oldestAt: Date | null
  lastSentAt: Date | null
}

/** Of the letters that are still kept. */
export async function readMail({ db }: StoreContext): Promise<Omit<MailHealth, 'isConfigured'>> {
  const { rows } = await sql<Row>`
    select count(*) filter (where state in ('waiting', 'sending'))::int as waiting,
      count(*) filter (where state = 'waiting' and attempts > 0)::int as tried,
      count(*) filter (where state = 'failed')::int as failed, count(*) filter (where state = 'kept' and kind in ('invitation', 'reset-password'))::int as kept,
      min(created_at) filter (where state in ('waiting', 'sending')) as "oldestAt", max(sent_at) filter (where state = 'sent') as "lastSentAt"
    from letters`.execute(db)
  const { oldestAt = null, lastSentAt = null, waiting = 0, tried = 0, failed = 0, kept = 0 } = rows[0] ?? {}
  return {
    waiting,
    tried,
    failed,
    kept,
    oldestAt: oldestAt?.getTime() ?? null,
    lastSentAt: lastSentAt?.getTime() ?? null,
  }
}

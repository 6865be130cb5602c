// Writes to the sales team that an organization asks for another plan, cancels its plan, or has withdrawn that.
import { getBrand } from '#server/domain/branding/branding.store.ts'
import type { Services } from '#server/functions/services.ts'
import type { Db } from '#server/platform/db/database.ts'
import { defineJob, type JobSender } from '#server/platform/jobs/jobs.ts'
import type { Id } from '#shared/ids.ts'
import { brandOf, senderOf } from '#shared/organizations/branding.ts'
import { findRequestFacts, type RequestFacts } from './plan-requests.store.ts'

type Data = { requestId: Id<'planRequests'>; what: 'made' | 'withdrawn' }

/** Repeated while the mail server does not take the letter. The record stands whatever becomes of the letter. */
export const announceRequestJob = defineJob<Data, Pick<Services, 'database' | 'mailer' | 'salesEmail' | 'publicUrl'>>({
  name: 'billing.announce-plan-request',
  limitSeconds: 60,
  concurrency: 1,
  async run({ database, mailer, salesEmail, publicUrl }, { requestId, what }) {
    if (salesEmail === undefined) return
    const { facts, installation } = await database.system(
      'billing: announce a request',
      async (db) => ({
        facts: await findRequestFacts({ db }, requestId),
        installation: await getBrand({ db }, 'installation'),
      }),
      { readOnly: true },
    )
    const product = brandOf(installation).name
    const sender = senderOf(installation)
    if (facts) await mailer.send({ to: salesEmail, sender, ...letterOf(facts, what, { publicUrl, product }) })
  },
})

/** Has the sales team written to once the transaction has committed. */
export async function announceLater(ctx: { db: Db; jobs: JobSender<Db> }, data: Data): Promise<void> {
  await ctx.jobs.send(ctx.db, announceRequestJob, data)
}

/** In English and Russian: one team may read either. */
function letterOf(
  facts: RequestFacts,
  what: Data['what'],
  { publicUrl, product }: { publicUrl: string; product: string },
): { subject: string; text: string } {
  const { kind, organization, wanted, note, person } = facts
  const asked = kind === 'change' ? `plan change to ${wanted}` : 'cancellation of the plan'
  const askedRu = kind === 'change' ? `смена тарифа на ${wanted}` : 'отмена тарифа'
  const isWithdrawn = what === 'withdrawn'
  const subject = `${product}: ${oneLine(organization.name)} · ${asked}${isWithdrawn ? ' (withdrawn)' : ''}`
  const lines = [
    `${organization.name} (${organization.id}): ${isWithdrawn ? 'withdrawn: ' : ''}${asked}`,
    `${organization.name}: ${isWithdrawn ? 'запрос отозван: ' : ''}${askedRu}`,
    `Plan now · Тариф сейчас: ${organization.plan ?? 'parking'}`,
    ...(person ? [`From · От: ${person.name} <${person.email}>`] : []),
    ...(note ? ['', note] : []),
    '',
    publicUrl,
  ]
  return { subject, text: `${lines.join('\n')}\n` }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

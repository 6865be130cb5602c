// Writes to the administrators of an organization that one of its endpoints is tried no more.
import { type LetterContext, sendLetter } from '#server/domain/letters/letters.job.ts'
import { letterLanguage } from '#server/integrations/mail/letters.ts'
import type { Id } from '#shared/ids.ts'
import { findDisabled } from './endpoints.store.ts'

/** A letter to each of those who may switch it on again; inside the transaction that has disabled it. */
export async function announceDisabled(ctx: LetterContext, endpointId: Id<'webhookEndpoints'>): Promise<void> {
  const { url, reason, people } = await findDisabled(ctx, endpointId)
  const { host } = new URL(url)
  for (const { email, language } of people) {
    const path = `/settings/webhooks?endpoint=${endpointId}`
    await sendLetter(ctx, {
      to: email,
      language: letterLanguage(language),
      kind: 'webhook-disabled',
      host,
      reason,
      path,
    })
  }
}

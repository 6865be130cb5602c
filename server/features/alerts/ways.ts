// How an alert leaves Parley: by a letter.
import { isUnsent } from '#server/adapters/email/email.ts'
import type { Services } from '#server/functions/services.ts'
import { retryAfterMs } from './alerts.rules.ts'
import { letterOf } from './alerts.words.ts'
import type { Send } from './sends.store.ts'

type Parts = Pick<Services, 'mailer' | 'publicUrl'>
type Outcome = { status: 'sent' | 'failed' | 'dropped' } | { status: 'waiting'; notBefore: Date }

/** Sends one, and says what became of it. Never throws: what exactly failed may hold words of customers, and stays untold. */
export async function sendOut(parts: Parts, send: Send, now: number): Promise<Outcome> {
  if (!parts.mailer.isConfigured) return { status: 'dropped' }
  const path = pathOf(send)
  const told = { ...send, url: parts.publicUrl + path, settingsUrl: `${parts.publicUrl}/settings/notifications` }
  try {
    await parts.mailer.send({ to: send.email, ...letterOf(told, send.settings.language) })
    return { status: 'sent' }
  } catch (error) {
    const inMs = isUnsent(error) ? retryAfterMs(send.attempts) : null
    return inMs === null ? { status: 'failed' } : { status: 'waiting', notBefore: new Date(now + inMs) }
  }
}

function pathOf({ kind, conversationId }: Pick<Send, 'kind' | 'conversationId'>): string {
  if (conversationId) return `/conversations/${conversationId}`
  return kind === 'connection' ? '/channels' : '/settings/organization'
}

// How an alert is sent outside of Parley: by e-mail, by the installation's own bot, or to the person's browsers.

import type { Services } from '#server/functions/services.ts'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import { isUnsent } from '#server/integrations/mail/email.ts'
import type { PushTarget } from '#server/integrations/web-push/web-push.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OutsideWay, PushedAlert } from '#shared/organizations/alerts.ts'
import { brandOf, EMPTY_BRAND, type OwnBrand, senderOf } from '#shared/organizations/branding.ts'
import { retryAfterMs } from './alerts.rules.ts'
import { type AlertContent, letterOf, noteOf, pushOf } from './alerts.words.ts'
import { leaveChat } from './chats.store.ts'
import { forgetDevices } from './devices.store.ts'
import type { Send } from './sends.store.ts'
import { summaryText } from './summaries.words.ts'

type Parts = Pick<Services, 'database' | 'mailer' | 'alertBot' | 'webPush' | 'publicUrl'>
type Outcome = { status: 'sent' | 'failed' | 'dropped' } | { status: 'waiting'; notBefore: Date }
/** `dropped`: the way does not lead there. @throws what has failed */
type Way = (parts: Parts, send: Send, content: AlertContent) => Promise<'sent' | 'dropped'>

const WRITE = { isolation: 'read committed' } as const
/** What has not arrived and may later; a push perhaps has, and then replaces itself. */
const PASSING: ReadonlySet<AdapterError['kind']> = new Set(['temporary', 'rate_limited'])

/** Sends one and returns the outcome. Never throws: error messages may contain customers' texts and are not logged. */
export async function sendOut(parts: Parts, send: Send, now: number): Promise<Outcome> {
  const path = pathOf(send)
  const { event = null, by = null, summary } = send.details ?? {}
  const content = {
    ...send,
    product: brandOf(...brandsOf(send)).name,
    preview: summary ? summaryText(summary, send.settings.language) : send.preview,
    event,
    by,
    url: parts.publicUrl + path,
    settingsUrl: `${parts.publicUrl}/settings/notifications`,
  }
  try {
    return { status: await WAYS[send.way](parts, send, content) }
  } catch (error) {
    const inMs = isUntaken(error) ? retryAfterMs(send.attempts) : null
    return inMs === null ? { status: 'failed' } : { status: 'waiting', notBefore: new Date(now + inMs) }
  }
}

const WAYS: Record<OutsideWay, Way> = {
  async email({ mailer }, send, content) {
    if (!mailer.isConfigured) return 'dropped'
    const sender = senderOf(...brandsOf(send))
    await mailer.send({ to: send.email, sender, ...letterOf(content, send.settings.language) })
    return 'sent'
  },

  async telegram({ alertBot, database }, { chatId, settings }, content) {
    if (!alertBot || chatId === null) return 'dropped'
    await alertBot.send(chatId, noteOf(content, settings.language)).catch(async (error: unknown) => {
      const isBlocked = error instanceof AdapterError && error.kind === 'blocked'
      if (isBlocked) await database.system('alerts: leave chat', (db) => leaveChat({ db }, chatId), WRITE)
      throw error
    })
    return 'sent'
  },

  async push(parts, send, content) {
    const { settings, alertId } = send
    const { url } = content
    const alert = { ...pushOf(content, settings.language), url, tag: alertId }
    const tried = await Promise.all(send.devices.map((device) => pushTo(parts, send, device, alert)))
    if (tried.includes('sent')) return 'sent'
    const failures = tried.filter((each) => each instanceof AdapterError)
    const failure = failures.find(isUntaken) ?? failures[0]
    if (failure) throw failure
    return 'dropped'
  },
}

/** To one browser. A subscription that has ended is deleted. @returns the error, if it failed */
async function pushTo(parts: Parts, send: Send, device: PushTarget, alert: PushedAlert) {
  try {
    await parts.webPush.send(device, alert)
    return 'sent'
  } catch (error) {
    if (!(error instanceof AdapterError) || error.kind !== 'blocked') return error
    const { organizationId, userId } = send
    const forget = (db: Db) => forgetDevices({ db, organizationId }, userId, [device.endpoint])
    await parts.database.system('alerts: a browser left', forget, WRITE)
    return 'gone'
  }
}

function brandsOf({ brands: { installation, own } }: Send): [OwnBrand, OwnBrand] {
  return [
    { ...EMPTY_BRAND, ...installation },
    { ...EMPTY_BRAND, ...own },
  ]
}

function isUntaken(error: unknown): boolean {
  return error instanceof AdapterError ? PASSING.has(error.kind) : isUnsent(error)
}

function calendarPath(slug: string | null): string {
  return `/integrations/google_calendar/setup${slug ? `?agentSlug=${encodeURIComponent(slug)}` : ''}`
}

function pathOf({ kind, conversationId, details }: Pick<Send, 'kind' | 'conversationId' | 'details'>): string {
  if (conversationId) return `/conversations/${conversationId}`
  if (details?.event === 'calendarLost') return calendarPath(details.slug)
  if (details?.event === 'mcpLost') return `/settings/mcp-servers/${encodeURIComponent(details.slug ?? '')}`
  if (kind === 'connection') return '/channels'
  if (kind === 'product') return '/settings/notifications'
  if (kind === 'summary') return '/analytics'
  if (kind === 'agent') return details?.slug ? `/agents/${encodeURIComponent(details.slug)}/settings` : '/agents'
  return `/settings/organization${details?.event === 'billingSpending' ? '#spending' : ''}`
}

// How an alert leaves Parley: by a letter, by the installation's own bot, or to the browsers of the person.

import type { Services } from '#server/functions/services.ts'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import { isUnsent } from '#server/integrations/mail/email.ts'
import type { PushTarget } from '#server/integrations/web-push/web-push.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OutsideWay, PushedAlert } from '#shared/organizations/alerts.ts'
import { retryAfterMs } from './alerts.rules.ts'
import { letterOf, noteOf, pushOf, type Told } from './alerts.words.ts'
import { leaveChat } from './chats.store.ts'
import { forgetDevices } from './devices.store.ts'
import type { Send } from './sends.store.ts'

type Parts = Pick<Services, 'database' | 'mailer' | 'alertBot' | 'webPush' | 'publicUrl'>
type Outcome = { status: 'sent' | 'failed' | 'dropped' } | { status: 'waiting'; notBefore: Date }
/** `dropped`: the way does not lead there. @throws what has failed */
type Way = (parts: Parts, send: Send, told: Told) => Promise<'sent' | 'dropped'>

const WRITE = { isolation: 'read committed' } as const
/** What has not arrived and may later; a push perhaps has, and then replaces itself. */
const PASSING: ReadonlySet<AdapterError['kind']> = new Set(['temporary', 'rate_limited'])

/** Sends one, and says what became of it. Never throws: what exactly failed may hold words of customers, and stays untold. */
export async function sendOut(parts: Parts, send: Send, now: number): Promise<Outcome> {
  const path = pathOf(send)
  const told = { ...send, url: parts.publicUrl + path, settingsUrl: `${parts.publicUrl}/settings/notifications` }
  try {
    return { status: await WAYS[send.way](parts, send, told) }
  } catch (error) {
    const inMs = isUntaken(error) ? retryAfterMs(send.attempts) : null
    return inMs === null ? { status: 'failed' } : { status: 'waiting', notBefore: new Date(now + inMs) }
  }
}

const WAYS: Record<OutsideWay, Way> = {
  async email({ mailer }, { email, settings }, told) {
    if (!mailer.isConfigured) return 'dropped'
    await mailer.send({ to: email, ...letterOf(told, settings.language) })
    return 'sent'
  },

  async telegram({ alertBot, database }, { chatId, settings }, told) {
    if (!alertBot || chatId === null) return 'dropped'
    await alertBot.send(chatId, noteOf(told, settings.language)).catch(async (error: unknown) => {
      const isBlocked = error instanceof AdapterError && error.kind === 'blocked'
      if (isBlocked) await database.system('alerts: somebody left', (db) => leaveChat({ db }, chatId), WRITE)
      throw error
    })
    return 'sent'
  },

  async push(parts, send, told) {
    const { settings, alertId } = send
    const { url } = told
    const alert = { ...pushOf(told, settings.language), url, tag: alertId }
    const tried = await Promise.all(send.devices.map((device) => pushTo(parts, send, device, alert)))
    if (tried.includes('sent')) return 'sent'
    const failures = tried.filter((each) => each instanceof AdapterError)
    const failure = failures.find(isUntaken) ?? failures[0]
    if (failure) throw failure
    return 'dropped'
  },
}

/** To one browser. One that wants nothing more is forgotten. @returns what has failed, if it did */
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

function isUntaken(error: unknown): boolean {
  return error instanceof AdapterError ? PASSING.has(error.kind) : isUnsent(error)
}

function pathOf({ kind, conversationId }: Pick<Send, 'kind' | 'conversationId'>): string {
  if (conversationId) return `/conversations/${conversationId}`
  return kind === 'connection' ? '/channels' : '/settings/organization'
}

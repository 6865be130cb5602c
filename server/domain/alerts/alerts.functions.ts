// The caller's alerts and alert settings.
import { randomBytes } from 'node:crypto'
import { getBrands } from '#server/domain/branding/branding.store.ts'
import { orgAction, orgMutation, userQuery } from '#server/functions/define.ts'
import type { Services } from '#server/functions/services.ts'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { TelegramBot } from '#server/integrations/channels/telegram/telegram.bot.ts'
import { AppError } from '#shared/errors.ts'
import {
  ALERT_KINDS,
  ALERT_WAYS,
  type AlertChat,
  type AlertReach,
  type AlertSettings,
  alertLanguageInput,
  alertSettings,
  type PushDevice,
  pushDeviceInput,
  pushEndpointInput,
  seenAlertsInput,
} from '#shared/organizations/alerts.ts'
import { brandOf, PRODUCT_NAME, senderOf } from '#shared/organizations/branding.ts'
import { noArgs } from '#shared/schema.ts'
import { hashOfCode } from './alert-bot.ts'
import * as store from './alerts.store.ts'
import { type AlertContent, letterOf, noteOf, pushOf } from './alerts.words.ts'
import * as chats from './chats.store.ts'
import * as devices from './devices.store.ts'

const CODE_MINUTES = 15

/** The caller's unseen alerts, newest first. @throws organization_required */
export const list = userQuery({
  args: noArgs,
  handler: async ({ db, caller }) => {
    const { organizationId, userId } = caller
    if (!organizationId) throw new AppError('organization_required')
    return store.listUnseen({ db, organizationId }, userId)
  },
})

/** How the caller is alerted. @throws organization_required */
export const settings = userQuery({
  args: noArgs,
  handler: async ({ db, caller }) => {
    const { organizationId, userId, support, organizationRole } = caller
    if (!organizationId) throw new AppError('organization_required')
    return store.getSettings({ db, organizationId }, userId, support && organizationRole)
  },
})

/** Changes how the caller is alerted from now on. */
export const save = orgMutation({
  args: alertSettings,
  handler: async (ctx, chosen) => {
    await store.saveSettings(ctx, ctx.caller.userId, chosen)
    return null
  },
})

/** Sets the language of what is sent to the caller: the one in which they read Parley. Safe to repeat. */
export const setLanguage = orgMutation({
  args: alertLanguageInput,
  handler: async (ctx, { language }) => {
    await store.saveSome(ctx, ctx.caller.userId, { language })
    return null
  },
})

/** The caller has seen alerts of theirs. Safe to repeat; ids of others are passed over. */
export const markSeen = orgMutation({
  args: seenAlertsInput,
  handler: async (ctx, { alertIds }) => {
    await store.markSeen(ctx, ctx.caller.userId, alertIds)
    return null
  },
})

/** Which ways lead out of this installation. */
export const reach = orgAction({
  args: noArgs,
  handler: async ({ services }): Promise<AlertReach> => ({
    email: services.mailer.isConfigured,
    telegram: services.alertBot !== null,
    pushKey: services.webPush.publicKey,
  }),
})

/** The browsers in which the caller is alerted by push, the newest first. @throws organization_required */
export const pushDevices = userQuery({
  args: noArgs,
  handler: async ({ db, caller }): Promise<PushDevice[]> => {
    const { organizationId, userId } = caller
    if (!organizationId) throw new AppError('organization_required')
    return devices.listDevices({ db, organizationId }, userId)
  },
})

/**
 * Registers one more browser of the caller for push. Pushes everything that comes in the browser already, unless they have chosen what is
 * pushed before.
 */
export const addPushDevice = orgMutation({
  args: pushDeviceInput,
  handler: async (ctx, device) => {
    const { userId } = ctx.caller
    await devices.addDevice(ctx, ctx.caller, device)
    const chosen = await store.getSettings(ctx, userId)
    const isChosen = Object.values(chosen.ways).some((ways) => ways.includes('push'))
    if (!isChosen) await store.saveSome(ctx, userId, { ways: withPush(chosen.ways) })
    return null
  },
})

/** The browser is alerted no more. Safe to repeat. */
export const removePushDevice = orgMutation({
  args: pushEndpointInput,
  handler: async (ctx, { endpoint }) => {
    await devices.forgetDevices(ctx, ctx.caller.userId, [endpoint])
    return null
  },
})

/** Sends a test alert to a browser of the caller. @throws push_device_missing, push_not_taken */
export const testPush = orgAction({
  args: pushEndpointInput,
  handler: async (ctx, { endpoint }) => {
    const { userId } = ctx.caller
    const [device, { language }] = await ctx.read(async (org) => [
      await devices.findDevice(org, userId, endpoint),
      await store.getSettings(org, userId),
    ])
    if (!device) throw new AppError('push_device_missing')
    const content = testOf(ctx.services.publicUrl)
    const alert = { ...pushOf(content, language), url: content.settingsUrl, tag: 'alert-test' }
    await ctx.services.webPush.send(device, alert).catch(async (error: unknown) => {
      if (!(error instanceof AdapterError) || error.kind !== 'blocked') throw new AppError('push_not_taken')
      await ctx.write((org) => devices.forgetDevices(org, userId, [endpoint]))
      throw new AppError('push_device_missing')
    })
    return null
  },
})

/** The chat in which the alert bot writes to the caller; null: none. @throws organization_required */
export const chat = userQuery({
  args: noArgs,
  handler: async ({ db, caller }): Promise<AlertChat | null> => {
    const { organizationId, userId } = caller
    if (!organizationId) throw new AppError('organization_required')
    const found = await chats.findChat({ db, organizationId }, userId)
    return found && { name: found.name }
  },
})

/** Where the caller shows the alert bot who they are, within a quarter of an hour. @throws alert_bot_missing, alert_bot_unreachable */
export const openChat = orgAction({
  args: noArgs,
  handler: async (ctx) => {
    const bot = botOf(ctx.services)
    const name = await bot.name().catch(unreachable)
    const code = randomBytes(24).toString('base64url')
    await ctx.write((org) => chats.openCode(org, ctx.caller.userId, hashOfCode(code), CODE_MINUTES))
    const { demonstration } = ctx.services
    const played = demonstration && `${demonstration.telegram}?${new URLSearchParams({ bot: name, start: code })}`
    return { url: played ?? `https://t.me/${name}?start=${code}` }
  },
})

/** The alert bot writes to the caller no more. Safe to repeat. */
export const closeChat = orgMutation({
  args: noArgs,
  handler: async (ctx) => {
    await chats.forgetChat(ctx, ctx.caller.userId)
    return null
  },
})

/** Has the bot send a test alert. @throws alert_bot_missing, alert_chat_missing, alert_bot_unreachable */
export const testChat = orgAction({
  args: noArgs,
  handler: async (ctx) => {
    const bot = botOf(ctx.services)
    const [found, { language }] = await ctx.read(async (org) => [
      await chats.findChat(org, ctx.caller.userId),
      await store.getSettings(org, ctx.caller.userId),
    ])
    if (!found) throw new AppError('alert_chat_missing')
    await bot.send(found.chatId, noteOf(testOf(ctx.services.publicUrl), language)).catch(unreachable)
    return null
  },
})

/** Sends the caller a test alert by e-mail. @throws mail_not_configured, mail_not_sent */
export const testEmail = orgAction({
  args: noArgs,
  handler: async (ctx) => {
    const { mailer, publicUrl } = ctx.services
    if (!mailer.isConfigured) throw new AppError('mail_not_configured')
    const { language } = await ctx.read((org) => store.getSettings(org, ctx.caller.userId))
    const { installation, own } = await ctx.read((org) => getBrands(org, org.organizationId))
    const letter = letterOf({ ...testOf(publicUrl), product: brandOf(installation, own).name }, language)
    await mailer.send({ to: ctx.caller.email, sender: senderOf(installation, own), ...letter }).catch(() => {
      throw new AppError('mail_not_sent')
    })
    return null
  },
})

function withPush(ways: AlertSettings['ways']): AlertSettings['ways'] {
  const pushed = ALERT_KINDS.map((kind) => {
    const own = ways[kind]
    return [kind, own.includes('browser') ? ALERT_WAYS.filter((way) => way === 'push' || own.includes(way)) : own]
  })
  return Object.fromEntries(pushed) as AlertSettings['ways']
}

function testOf(publicUrl: string): AlertContent {
  const about = { event: null, name: null, by: null, preview: null }
  return {
    kind: 'test',
    product: PRODUCT_NAME,
    ...about,
    url: publicUrl,
    settingsUrl: `${publicUrl}/settings/notifications`,
  }
}

function botOf({ alertBot }: Pick<Services, 'alertBot'>): TelegramBot {
  if (!alertBot) throw new AppError('alert_bot_missing')
  return alertBot
}

function unreachable(): never {
  throw new AppError('alert_bot_unreachable')
}

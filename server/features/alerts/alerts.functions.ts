// What calls for the caller, and how they want to be called.
import { orgAction, orgMutation, userQuery } from '#server/functions/define.ts'
import { alertLanguageInput, alertSettings, seenAlertsInput } from '#shared/alerts.ts'
import { AppError } from '#shared/errors.ts'
import { noArgs } from '#shared/schema.ts'
import * as store from './alerts.store.ts'
import { letterOf } from './alerts.words.ts'

/** What the caller has not seen yet, newest first. @throws organization_required */
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
    const { organizationId, userId } = caller
    if (!organizationId) throw new AppError('organization_required')
    return store.getSettings({ db, organizationId }, userId)
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

/** The caller reads Parley in this language; what is sent to them is written in it. Safe to repeat. */
export const setLanguage = orgMutation({
  args: alertLanguageInput,
  handler: async (ctx, { language }) => {
    await store.saveLanguage(ctx, ctx.caller.userId, language)
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
  handler: async (ctx) => ({ email: ctx.services.mailer.isConfigured }),
})

/** Sends the caller an alert that is about nothing. @throws mail_not_configured, mail_not_sent */
export const testEmail = orgAction({
  args: noArgs,
  handler: async (ctx) => {
    const { mailer, publicUrl } = ctx.services
    if (!mailer.isConfigured) throw new AppError('mail_not_configured')
    const { language } = await ctx.read((org) => store.getSettings(org, ctx.caller.userId))
    const settingsUrl = `${publicUrl}/settings/notifications`
    const letter = letterOf({ kind: 'test', name: null, preview: null, url: publicUrl, settingsUrl }, language)
    await mailer.send({ to: ctx.caller.email, ...letter }).catch(() => {
      throw new AppError('mail_not_sent')
    })
    return null
  },
})

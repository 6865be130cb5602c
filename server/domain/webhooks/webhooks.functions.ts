// Webhooks as administrators set them up: addresses, their secrets, and the log of what was sent there.
import type { OrgActionContext } from '#server/functions/context.ts'
import { orgAction, orgMutation, orgQuery } from '#server/functions/define.ts'
import { OutboundError, PortError } from '#server/integrations/http/outbound.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { noArgs } from '#shared/schema.ts'
import { WEBHOOK_ENDPOINTS_MAX } from '#shared/webhooks/webhook-limits.ts'
import {
  deliveriesInput,
  deliveryInput,
  endpointInput,
  switchEndpointInput,
  updateEndpointInput,
  type WebhookSettings,
  webhookSettings,
} from '#shared/webhooks/webhooks.ts'
import * as store from './endpoints.store.ts'
import { emitTest } from './events.store.ts'
import * as log from './log.store.ts'
import { newWebhookSecret, sealAsFormer, sealSecret } from './secrets.rules.ts'

/** All endpoints, the oldest first; never their secrets. */
export const list = orgQuery({
  args: noArgs,
  handler: (ctx) => store.listEndpoints(ctx),
})

/** How many events wait for an endpoint, and how many were given up. @throws not_found */
export const counts = orgQuery({
  args: endpointInput,
  handler: async (ctx, { endpointId }) => {
    await store.getEndpoint(ctx, endpointId)
    return log.countDeliveries(ctx, endpointId)
  },
})

/** A page of an endpoint's deliveries, the newest first; live. @throws not_found */
export const deliveries = orgQuery({
  args: deliveriesInput,
  handler: async (ctx, { paginationOpts, ...filters }) => {
    await store.getEndpoint(ctx, filters.endpointId)
    return log.listDeliveries(ctx, filters, paginationOpts)
  },
})

/** What was sent in one delivery, and what was answered to each attempt. @throws not_found */
export const delivery = orgQuery({
  args: deliveryInput,
  handler: (ctx, { deliveryId }) => log.getDelivery(ctx, deliveryId),
})

/**
 * Makes an endpoint. An action, since outcomes of mutations are kept for clients that ask again: the secret is shown once.
 *
 * @throws too_many_webhooks, and the refusals of addresses
 */
export const create = orgAction({
  args: webhookSettings,
  isAudited: true,
  handler: async (ctx, settings): Promise<{ endpointId: Id<'webhookEndpoints'>; secret: string }> => {
    await checkAddress(ctx, settings.url)
    const [id, secret] = [newId('webhookEndpoints'), newWebhookSecret()]
    const sealed = sealSecret(ctx.services.secrets, id, secret)
    await ctx.write(async (write) => {
      if ((await store.countEndpoints(write)) >= WEBHOOK_ENDPOINTS_MAX)
        throw new AppError('too_many_webhooks', { max: WEBHOOK_ENDPOINTS_MAX })
      await store.insertEndpoint(write, { ...settings, id, secret: sealed, createdBy: write.caller.userId })
      await write.audit({ resource: resourceOf({ _id: id, url: settings.url }), after: shownOf(settings) })
    })
    return { endpointId: id, secret }
  },
})

/** Changes an endpoint. @throws not_found, and the refusals of addresses */
export const update = orgAction({
  args: updateEndpointInput,
  isAudited: true,
  handler: async (ctx, { endpointId, ...settings }) => {
    await checkAddress(ctx, settings.url)
    await ctx.write(async (write) => {
      const before = await store.getEndpoint(write, endpointId)
      await store.updateEndpoint(write, endpointId, settings)
      await write.audit({ resource: resourceOf(before), before: shownOf(before), after: shownOf(settings) })
    })
    return null
  },
})

/** Switches an endpoint on or off. While it is off nothing is kept for it; on also takes a disabled one up again. @throws not_found */
export const setOn = orgMutation({
  args: switchEndpointInput,
  isAudited: true,
  handler: async (ctx, { endpointId, isOn }) => {
    const before = await store.getEndpoint(ctx, endpointId)
    await store.switchEndpoint(ctx, endpointId, isOn)
    await ctx.audit({
      resource: resourceOf(before),
      before: { state: before.state },
      after: { state: isOn ? 'on' : 'off' },
    })
    return null
  },
})

/** Gives an endpoint a new secret; for a day events are signed with the former one too. @throws not_found */
export const rotateSecret = orgAction({
  args: endpointInput,
  isAudited: true,
  handler: async (ctx, { endpointId }): Promise<{ secret: string }> => {
    const { secrets } = ctx.services
    const secret = newWebhookSecret()
    await ctx.write(async (write) => {
      const former = sealAsFormer(secrets, endpointId, await store.holdSecret(write, endpointId))
      await store.replaceSecret(write, endpointId, { secret: sealSecret(secrets, endpointId, secret), former })
      await write.audit({ resource: resourceOf(await store.getEndpoint(write, endpointId)) })
    })
    return { secret }
  },
})

/** Deletes an endpoint with what waits for it. @throws not_found */
export const remove = orgMutation({
  args: endpointInput,
  isAudited: true,
  handler: async (ctx, { endpointId }) => {
    const before = await store.getEndpoint(ctx, endpointId)
    await store.deleteEndpoint(ctx, endpointId)
    await ctx.audit({ resource: resourceOf(before), before: shownOf(before) })
    return null
  },
})

/** Sends a test event to an endpoint, at once even where it is failing; while it is off, the event waits. @throws not_found */
export const sendTest = orgMutation({
  args: endpointInput,
  isAudited: true,
  handler: async (ctx, { endpointId }) => {
    const endpoint = await store.getEndpoint(ctx, endpointId)
    await store.tryNow(ctx, endpointId)
    await emitTest(ctx, endpointId, ctx.now)
    await ctx.audit({ resource: resourceOf(endpoint) })
    return null
  },
})

/** Sends one event once more under its id, whatever became of it; while the endpoint is off, it waits. @throws not_found */
export const replay = orgMutation({
  args: deliveryInput,
  isAudited: true,
  handler: async (ctx, { deliveryId }) => {
    const endpoint = await store.getEndpoint(ctx, await log.replayDelivery(ctx, deliveryId))
    await store.tryNow(ctx, endpoint._id)
    await ctx.audit({ resource: resourceOf(endpoint), after: { events: 1 } })
    return null
  },
})

/** Sends all events once more that were given up, in their order; while the endpoint is off, they wait. @throws not_found */
export const replayDead = orgMutation({
  args: endpointInput,
  isAudited: true,
  handler: async (ctx, { endpointId }): Promise<{ events: number }> => {
    const endpoint = await store.getEndpoint(ctx, endpointId)
    const events = await log.replayDead(ctx, endpointId)
    await store.tryNow(ctx, endpointId)
    await ctx.audit({ resource: resourceOf(endpoint), after: { events } })
    return { events }
  },
})

/** An address is refused here for the person who enters it, and again at each attempt, since names come to lead elsewhere. */
async function checkAddress({ services }: OrgActionContext, url: string): Promise<void> {
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password)
    throw new AppError('webhook_url_invalid')
  if (parsed.protocol !== 'https:' && services.publicUrl.startsWith('https:'))
    throw new AppError('webhook_url_insecure')
  try {
    await services.outbound.check(url)
  } catch (error) {
    if (error instanceof PortError) throw new AppError('webhook_url_invalid')
    throw new AppError(error instanceof OutboundError ? 'webhook_url_internal' : 'webhook_url_unknown')
  }
}

function resourceOf({ _id, url }: { _id: Id<'webhookEndpoints'>; url: string }) {
  return { kind: 'webhook', id: _id, name: URL.parse(url)?.host ?? url }
}

function shownOf({ url, types, perMinute }: Pick<WebhookSettings, 'url' | 'types' | 'perMinute'>) {
  return { url: withoutQuery(url), types, perMinute }
}

/** What stands behind the question mark is often a key. */
function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? url
}

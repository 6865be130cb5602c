// HTTP connections: to a program of the organization's own, which posts messages and shows answers. Made from an address, tested, given new
// secrets, and removed. Messages come in through domain/messaging/inbound/sources/http-channel.http.ts.

import { getAgent } from '#server/domain/agents/agents.store.ts'
import type { OrgActionContext, OrgMutationContext } from '#server/functions/context.ts'
import { orgAction, orgQuery } from '#server/functions/define.ts'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { Credentials } from '#server/integrations/channels/contract/credentials.ts'
import {
  httpToken,
  newSecret,
  readHttpAccess,
  rotated,
} from '#server/integrations/channels/http-channel/http-channel.access.ts'
import { newId } from '#server/platform/lib/ids.ts'
import {
  type ChannelConnection,
  connectionInput,
  type DeliveryAttempt,
  type HttpSecrets,
  provisionHttpInput,
  rotateHttpSecretInput,
  updateHttpInput,
} from '#shared/channels/channels.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { readClock } from '../health/activity.store.ts'
import { listAttempts, logAttempts } from '../health/delivery-attempts.store.ts'
import { credentialsOf, randomSecret, seal } from './access.ts'
import { disconnectAccount, getConnectionOf } from './connecting.ts'
import * as store from './connections.store.ts'

/** Placeholder for what follows the path of an address. */
const HIDDEN = '?…'

/**
 * Connects a program to an agent. The program is not called: it has to know the secrets first. The connection is pending until an event
 * has been accepted.
 *
 * @returns secrets: shown this once
 */
export const provision = orgAction({
  args: provisionHttpInput,
  handler: async (ctx, { agentId, name, url }): Promise<{ connection: ChannelConnection; secrets: HttpSecrets }> => {
    const secrets = { inbound: newSecret(), outbound: newSecret() }
    const [id, accountId] = [newId('channelConnections'), newId()]
    const token = httpToken({ id: accountId, url, keys: secrets.outbound })
    const sealed = seal(ctx.services.secrets, id, { token, webhookSecret: secrets.inbound })
    const connection = await ctx.write(async (org) => {
      await getAgent(org, agentId)
      const added: store.NewConnection = {
        ...sealed,
        organizationId: ctx.organizationId,
        agentId,
        channel: 'http',
        delivery: 'webhook',
        webhookPath: randomSecret(),
        identifier: name,
        externalAccountId: accountId,
        address: shownAddress(url),
        tokenTail: secrets.outbound.slice(-4),
        state: null,
      }
      await store.insertConnection(org, added, org.now)
      return store.getConnection(org, id)
    })
    return { connection, secrets }
  },
})

/**
 * Changes the name, and where events are posted from now on. An address with the placeholder keeps the hidden part after the path; one
 * without it drops that part. Secrets stay. @throws not_found, connection_disconnected
 */
export const update = orgAction({
  args: updateHttpInput,
  handler: (ctx, { connectionId, name, url }): Promise<ChannelConnection> =>
    ctx.write(async (org) => {
      const { token, webhookSecret } = await open(ctx, org, connectionId)
      const access = readHttpAccess(token)
      const entered = withHidden(url, access.url)
      const changed = { token: httpToken({ ...access, url: entered }), webhookSecret }
      const seen = { identifier: name, address: shownAddress(entered) }
      await store.replaceAccess(org, seal(ctx.services.secrets, connectionId, changed), seen)
      return store.getConnection(org, connectionId)
    }),
})

/**
 * Replaces the secret of one direction. The previous one stays valid for a day: what is posted is signed by both, what comes in may be signed
 * by either.
 *
 * @returns secret: shown this once
 * @throws not_found, connection_disconnected
 */
export const rotateSecret = orgAction({
  args: rotateHttpSecretInput,
  handler: (ctx, { connectionId, direction }): Promise<{ secret: string }> =>
    ctx.write(async (org) => {
      const secret = newSecret()
      const before = await open(ctx, org, connectionId)
      const now = org.now.getTime()
      const access = readHttpAccess(before.token)
      const isInbound = direction === 'inbound'
      const changed: Credentials = isInbound
        ? { ...before, webhookSecret: rotated(before.webhookSecret, secret, now) }
        : { ...before, token: httpToken({ ...access, keys: rotated(access.keys, secret, now) }) }
      const seen = isInbound ? {} : { tokenTail: secret.slice(-4) }
      await store.replaceAccess(org, seal(ctx.services.secrets, connectionId, changed), seen)
      return { secret }
    }),
})

/** Posts a test event and records the result, which decides the state of the connection. @throws not_found, connection_disconnected */
export const test = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<Pick<DeliveryAttempt, 'outcome' | 'httpStatus' | 'reason'>> => {
    const [credentials, begunAt] = await ctx.read(async (org) => [
      await open(ctx, org, connectionId),
      await readClock(org),
    ])
    const startedAt = performance.now()
    const end = await ctx.services.channels.http.test(credentials).then(
      ({ status }) => ({ outcome: 'sent' as const, httpStatus: status, reason: null }),
      (error: unknown) => {
        if (!(error instanceof AdapterError)) throw error
        return { outcome: 'failed' as const, httpStatus: error.status, reason: `${error.kind}: ${error.message}` }
      },
    )
    const latencyMs = Math.round(performance.now() - startedAt)
    const { organizationId } = ctx
    const attempt = { organizationId, connectionId, outboxId: null, attempt: 1, begunAt, latencyMs, ...end }
    await ctx.write((org) => logAttempts(org, [attempt]))
    return end
  },
})

/** The latest attempts to post an event, newest first, live. @throws not_found */
export const deliveries = orgQuery({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<DeliveryAttempt[]> => {
    await getConnectionOf(ctx, 'http', connectionId)
    return listAttempts(ctx, connectionId)
  },
})

/** Disconnects a program: nothing more is received or sent through it. Its conversations stay. Safe to repeat. @throws not_found */
export const disconnect = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<null> => {
    await disconnectAccount(ctx, 'http', connectionId)
    return null
  },
})

/** The credentials of a live connection, and where it is. */
async function open(
  ctx: OrgActionContext,
  org: Parameters<typeof store.findSecrets>[0] | OrgMutationContext,
  connectionId: Id<'channelConnections'>,
): Promise<Credentials> {
  await getConnectionOf(org, 'http', connectionId)
  const stored = await store.findSecrets(org, connectionId)
  if (!stored) throw new AppError('connection_disconnected')
  return credentialsOf(ctx.services.secrets, stored)
}

/** Replaces what follows the path by a placeholder, as it may be a secret of the program. */
function shownAddress(url: string): string {
  const { origin, pathname, search, hash } = new URL(url)
  return origin + pathname + (search + hash === '' ? '' : HIDDEN)
}

/** The address that a person has entered, who was shown `known`. */
function withHidden(entered: string, known: string): string {
  if (!entered.endsWith(HIDDEN)) return entered
  const { search, hash } = new URL(known)
  return entered.slice(0, -HIDDEN.length) + search + hash
}

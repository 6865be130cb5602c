// Web chat connections: a widget of an agent is made, changed and removed. Its visitors come through domain/messaging/webchat/webchat.http.ts.
import { randomBytes } from 'node:crypto'
import { getAgent } from '#server/domain/agents/agents.store.ts'
import { orgAction, orgMutation } from '#server/functions/define.ts'
import { type ChannelConnection, connectionInput } from '#shared/channels/channels.ts'
import { provisionWebchatInput, updateWebchatInput } from '#shared/channels/webchat.ts'
import { AppError } from '#shared/errors.ts'
import { randomSecret, seal } from '../connections/access.ts'
import { connectAccount, disconnectAccount, getConnectionOf } from '../connections/connecting.ts'
import * as store from '../connections/connections.store.ts'

const KEY_BYTES = 16

/** Makes a widget of an agent; its own page works at once. @throws agent_unavailable for an agent that does not exist */
export const provision = orgAction({
  args: provisionWebchatInput,
  handler: async (ctx, { agentId, widget }): Promise<ChannelConnection> => {
    await ctx.read((org) => getAgent(org, agentId))
    const key = randomBytes(KEY_BYTES).toString('base64url')
    const account = await ctx.services.channels.webchat.identify(key)
    const { id } = await connectAccount(ctx, {
      ...account,
      channel: 'webchat',
      agentId,
      identifier: widget.title,
      token: key,
      secret: randomSecret(),
      widget,
    })
    return ctx.write(async (org) => {
      await store.setConnected(org, id, org.now)
      return store.getConnection(org, id)
    })
  },
})

/**
 * Makes the secret by which a site signs who its visitors are; the previous one is invalid from now on.
 *
 * @returns secret: shown this once
 * @throws not_found, connection_disconnected
 */
export const createIdentitySecret = orgAction({
  args: connectionInput,
  handler: (ctx, { connectionId }): Promise<{ secret: string }> =>
    ctx.write(async (org) => {
      await getConnectionOf(org, 'webchat', connectionId)
      const stored = await store.findSecrets(org, connectionId)
      if (!stored) throw new AppError('connection_disconnected')
      const secret = randomSecret()
      const { encryptedSecret } = seal(ctx.services.secrets, connectionId, { token: '', webhookSecret: secret })
      await store.replaceAccess(org, { ...stored, encryptedSecret }, { tokenTail: secret.slice(-4) })
      return { secret }
    }),
})

/** Changes a widget's appearance and where it may be embedded. Pages that show it apply it when they are next loaded. @throws not_found, connection_disconnected */
export const update = orgMutation({
  args: updateWebchatInput,
  handler: async (ctx, { connectionId, widget }): Promise<ChannelConnection> => {
    const { status } = await getConnectionOf(ctx, 'webchat', connectionId)
    if (status === 'disconnected') throw new AppError('connection_disconnected')
    await store.setWidget(ctx, connectionId, widget)
    return store.getConnection(ctx, connectionId)
  },
})

/** Removes a widget: its pages are gone, nothing more is received or shown. Its conversations stay. Safe to repeat. */
export const disconnect = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<null> => {
    await disconnectAccount(ctx, 'webchat', connectionId)
    return null
  },
})

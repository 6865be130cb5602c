// Templates of a conversation's channel: the only messages allowed to a customer who has been silent for too long.

import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import { findSecrets } from '#server/domain/channels/connections/connections.store.ts'
import type { OrgActionContext } from '#server/functions/context.ts'
import { orgAction, orgQuery } from '#server/functions/define.ts'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { MessageTemplates } from '#server/integrations/channels/contract/capabilities.ts'
import type { Credentials } from '#server/integrations/channels/contract/credentials.ts'
import { manifestOf } from '#shared/channels/manifests.ts'
import {
  conversationTemplatesInput,
  fill,
  type MessageTemplate,
  sendTemplateInput,
  templateText,
} from '#shared/channels/templates.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { conversationInput } from '#shared/messaging/conversations.ts'
import * as rules from '../conversations/conversations.rules.ts'
import { answerWith } from '../conversations/threads.store.ts'
import { lockThread } from '../conversations/threads.ts'
import { takeOver } from '../handoff/takeover.ts'
import { getConversation } from '../inbox/conversations.store.ts'
import { sendTemplate } from '../inbox/reply.ts'
import { answeredBy, findLastHeard } from './templates.store.ts'

type Written = { templates: MessageTemplates; credentials: Credentials }

/**
 * Until when the customer may be written to in free-form text, live: milliseconds since the epoch, which may be over. Null: at any time.
 * @throws not_found
 */
export const window = orgQuery({
  args: conversationInput,
  handler: async (ctx, { conversationId }): Promise<{ closesAt: number | null }> => {
    const { channel } = await getConversation(ctx, conversationId)
    const windowMs = manifestOf(channel)?.replyWindowMs ?? null
    if (windowMs === null) return { closesAt: null }
    return { closesAt: ((await findLastHeard(ctx, conversationId)) ?? 0) + windowMs }
  },
})

/** The templates that may be sent, as the provider has them now. @throws not_found, channel_has_no_templates, connection_disconnected, cloud_… */
export const list = orgAction({
  args: conversationTemplatesInput,
  handler: async (ctx, { conversationId }): Promise<MessageTemplate[]> => {
    const { templates, credentials } = await open(ctx, conversationId)
    return templates.list(credentials).catch(translate)
  },
})

/**
 * Sends a template as an operator's reply: the agent is silent from then on. The customer's text is rendered from the provider's present
 * template. @throws template_unknown, conversation_deleted, or as `list`
 */
export const send = orgAction({
  args: sendTemplateInput,
  handler: async (ctx, { conversationId, name, language, words }): Promise<{ messageId: Id<'messages'> }> => {
    const { templates, credentials } = await open(ctx, conversationId)
    const known = await templates.list(credentials).catch(translate)
    const template = known.find((one) => one.name === name && one.language === language)
    const chosen = template && fill(template, words)
    if (!template || !chosen) throw new AppError('template_unknown')
    const text = templateText(template, chosen.words)
    const { userId } = ctx.caller
    return ctx.write(async (org) => {
      const { conversation, others } = await lockThread(org, conversationId)
      rules.assertNotDeleted(conversation.folder)
      rules.assertReachable(conversation)
      await takeOver(org, [conversation, ...others], { text, reason: 'operator_reply', by: userId })
      const messageId = await sendTemplate(org, conversation, { userId, text, template: chosen })
      const otherIds = others.map(({ id }) => id)
      await answerWith(org, messageId, otherIds)
      return { messageId }
    })
  },
})

/** Opens the connection by which the conversation is answered. */
async function open(ctx: OrgActionContext, conversationId: Id<'conversations'>): Promise<Written> {
  const stored = await ctx.read(async (org) => {
    const connectionId = await answeredBy(org, conversationId)
    return connectionId && (await findSecrets(org, connectionId))
  })
  if (!stored) throw new AppError('connection_disconnected')
  const { templates } = ctx.services.channels[stored.channel] as { templates?: MessageTemplates }
  if (!templates) throw new AppError('channel_has_no_templates')
  return { templates, credentials: credentialsOf(ctx.services.secrets, stored) }
}

/** @throws always: cloud_credentials_invalid, cloud_throttled, cloud_unreachable, cloud_failed */
function translate(error: unknown): never {
  if (!(error instanceof AdapterError)) throw error
  const { kind, message, retryAfterMs } = error
  if (kind === 'unauthorized') throw new AppError('cloud_credentials_invalid')
  if (kind === 'rate_limited') throw new AppError('cloud_throttled', { retryAfterMs: retryAfterMs ?? 1000 })
  if (kind === 'temporary' || kind === 'unknown_outcome') throw new AppError('cloud_unreachable')
  throw new AppError('cloud_failed', { description: message })
}

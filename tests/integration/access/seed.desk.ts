// What operators have around the seeded conversation.
import { createHash } from 'node:crypto'
import { newId } from '#server/platform/lib/ids.ts'
import { defaultAlerts } from '#shared/organizations/alerts.ts'
import type { Ids, Insert, Text } from './seed.ts'

/** A merged conversation of the same contact, a note that mentions its author, a canned reply, a view, an operator who is looking, and an export. */
export async function seedDesk(insert: Insert, ids: Ids, text: Text): Promise<void> {
  const { organizationId: organization_id, conversationId: conversation_id, userId: user_id, noteId } = ids
  await insert('conversations', {
    ...{ id: ids.otherConversationId, organization_id, agent_id: ids.agentId, connection_id: ids.connectionId },
    ...{ customer_id: ids.customerId, thread_id: ids.threadId, channel: 'telegram', external_chat_id: '78' },
    ...{
      status: 'active',
      last_message_author: 'customer',
      last_message_text: text('words in the other conversation'),
    },
  })
  await insert('conversation_notes', { id: noteId, organization_id, conversation_id, user_id, text: text('note') })
  await insert('note_mentions', { organization_id, note_id: noteId, conversation_id, user_id, seen_at: null })
  const message = {
    id: ids.questionId,
    organization_id,
    conversation_id,
    author: 'customer',
    text: text('customer message'),
  } as const
  await insert('messages', { ...message, status: 'complete', sources: JSON.stringify([]) })
  await insert('message_translations', {
    ...{ organization_id, message_id: ids.questionId, language: 'en', text: text('translation') },
    source_digest: createHash('sha256').update(message.text).digest('base64url'),
    claimed_until: new Date(),
  })
  const texts = { text_ru: text('canned reply'), text_en: text('canned reply') }
  await insert('canned_replies', { id: ids.cannedReplyId, organization_id, name: text('name of a reply'), ...texts })
  const view = { name: text('name of a view'), query: `?tag=${text('view')}`, user_id: null }
  await insert('inbox_views', { id: ids.viewId, organization_id, ...view })
  await insert('inbox_default_views', { organization_id, user_id, view_id: ids.viewId })
  await insert('conversation_ratings', {
    organization_id,
    conversation_id,
    score: 4,
    comment: text('comment on a rating'),
    rated_at: new Date(),
  })
  await insert('conversation_summaries', {
    organization_id,
    conversation_id,
    summary: text('summary'),
    stretch_summary: text('stretch'),
  })
  await insert('conversation_follow_ups', { organization_id, conversation_id, pause_epoch: 0, answered_through: 0 })
  await insert('conversation_typing', { organization_id, conversation_id, customer_at: new Date(), operator_at: null })
  await insert('conversation_presence', { organization_id, conversation_id, user_id, state: 'looking', at: new Date() })
  await insert('operators', { organization_id, user_id, capacity: 2, hours: null })
  await insert('routing_signals', { organization_id })
  await insert('exports', {
    id: ids.exportId,
    organization_id,
    user_id,
    name: text('name of a file'),
    chosen: JSON.stringify({ filter: { tag: text('tag of a filter') } }),
    manner: JSON.stringify({ format: 'txt', language: 'en', timeZone: 'UTC' }),
    status: 'ready',
    total: 1,
    file_key: `export-${ids.exportId}.txt`,
    size_bytes: 10,
    expires_at: new Date(Date.now() + 86_400_000),
  })
  const alert = { id: ids.alertId, organization_id, user_id, kind: 'mention', subject: text('subject') } as const
  await insert('alerts', { ...alert, conversation_id, connection_id: null, planned_at: new Date() })
  await insert('alert_sends', {
    organization_id,
    alert_id: ids.alertId,
    way: 'email',
    status: 'sent',
    not_before: new Date(),
  })
  const place = { timeZone: 'UTC', language: 'en' } as const
  await insert('alert_settings', { organization_id, user_id, settings: JSON.stringify(defaultAlerts('owner', place)) })
  const code = { code_hash: newId(), code_until: new Date(Date.now() + 900_000) }
  await insert('alert_chats', {
    organization_id,
    user_id,
    chat_id: text('chat'),
    name: text('name of a chat'),
    ...code,
  })
  const session_id = newId('sessions')
  await insert('sessions', { id: session_id, user_id, token: newId(), expires_at: new Date(Date.now() + 86_400_000) })
  const device = { session_id, endpoint: `https://push.example/${newId()}`, p256dh: newId(), auth: newId() }
  await insert('push_devices', { organization_id, user_id, ...device, name: text('name of a device') })
  await insert('deletion_log', { id: newId('removals'), organization_id, kind: 'erasure', user_id, counts: '{}' })
}

// What the seeded web chat looks like, and what its visitors have sent.
import type { WidgetSettings } from '#shared/channels/webchat.ts'
import type { Ids, Insert, Text } from './seed.ts'

/** Of a chat that stands on no site. */
export function widgetSettings(text: Text): WidgetSettings {
  return {
    title: text('web chat'),
    color: '#2f5d50',
    position: 'right',
    hasAvatar: false,
    takesFiles: true,
    texts: { ru: { greeting: text('greeting'), offline: '' }, en: { greeting: '', offline: '' } },
    domains: [],
  }
}

/** One visitor, who has sent one file. */
export async function seedVisitors(insert: Insert, ids: Ids, text: Text): Promise<void> {
  const { organizationId: organization_id, webchatId: connection_id } = ids
  const hour = { hour: new Date(), files: 1, bytes: 1 }
  await insert('visitor_files', { organization_id, connection_id, visitor_id: text('visitor'), ...hour })
  await insert('visitor_counts', { organization_id, connection_id, hour: hour.hour, new_visitors: 1, answers: 1 })
  await insert('used_uploads', {
    organization_id,
    file_key: `${organization_id}/upload`,
    used_in: 'message',
    used_by: text('use'),
  })
  await insert('visitor_streams', { organization_id, connection_id, owner: 1, open: 1 })
  await insert('sent_counts', { organization_id, connection_id, in_hour: 1, in_day: 1 })
}

// What programs use and leave behind: a token, and what was asked by it; an invitation; and a calendar.
import { newId } from '#server/platform/lib/ids.ts'
import type { Ids, Insert, Text } from './seed.ts'

/** One of each. */
export async function seedApi(insert: Insert, ids: Ids, text: Text): Promise<void> {
  const { organizationId: organization_id, userId: created_by, apiTokenId: id } = ids
  const token = { id, organization_id, name: text('token name'), token_hash: newId(), token_tail: text('tail') }
  await insert('api_tokens', { ...token, created_by, last_used_at: null, window_started_at: null })
  const answer = JSON.stringify({ body: { name: text('answer') } })
  await insert('api_requests', { organization_id, key: text('key'), fingerprint: text('print'), status: 200, answer })
  const invite = { id: ids.inviteId, organization_id, email: `${ids.inviteId}@example.test`, token_hash: newId() }
  await insert('invites', {
    ...{ ...invite, role: 'operator', invited_by: created_by, expires_at: new Date(Date.now() + 86_400_000) },
    ...{ accepted_at: null, accepted_by: null, revoked_at: null },
  })
  await seedCalendar(insert, ids, text)
}

/** An agent's calendar, what is set up for it, and a consent under way. */
async function seedCalendar(insert: Insert, ids: Ids, text: Text): Promise<void> {
  const { organizationId: organization_id, agentId: agent_id } = ids
  const now = new Date()
  await insert('calendar_connections', {
    ...{ id: newId('calendarConnections'), organization_id, agent_id, status: 'connected', account: text('account') },
    ...{
      refresh_token: text('token'),
      connected_by: text('member'),
      connected_at: now,
      checked_at: now,
      lost_at: null,
    },
  })
  const target = { id: text('calendar'), name: text('calendar name') }
  const calendars = JSON.stringify({ busy: [target], target })
  await insert('calendar_settings', {
    ...{ organization_id, agent_id, calendars, templates: null, availability: null, updated_at: now },
  })
  await insert('calendar_authorizations', {
    ...{ state_hash: newId(), organization_id, agent_id, session_id: newId('sessions') },
    ...{ verifier: text('verifier'), expires_at: new Date(now.getTime() + 600_000) },
  })
}

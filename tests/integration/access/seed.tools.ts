// A tool of an organization with its secret, its host, and a call of it; a time offered by an agent, and a visit.
import { newId } from '#server/platform/lib/ids.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import type { Id } from '#shared/ids.ts'
import type { Ids, Insert, Text } from './seed.ts'

export type ToolIds = {
  httpToolId: Id<'httpTools'>
  toolSecretId: Id<'toolSecrets'>
  toolApprovalId: Id<'toolApprovals'>
  attackCheckId: Id<'attackChecks'>
  mcpServerId: Id<'mcpServers'>
  mcpToolId: Id<'mcpTools'>
}

/** Ids of what is seeded here. */
export function newToolIds(): ToolIds {
  return {
    toolApprovalId: newId('toolApprovals'),
    attackCheckId: newId('attackChecks'),
    ...{ httpToolId: newId('httpTools'), toolSecretId: newId('toolSecrets') },
    ...{ mcpServerId: newId('mcpServers'), mcpToolId: newId('mcpTools') },
  }
}

/** One of each. */
export async function seedTools(insert: Insert, ids: Ids, text: Text, secrets: Secrets): Promise<void> {
  const { organizationId: organization_id, toolSecretId, httpToolId, turnId, conversationId, agentId } = ids
  const now = new Date()
  const value = secrets.encrypt(text('secret'), `tool_secrets|${toolSecretId}|value`)
  const secret = { id: toolSecretId, organization_id, name: text('secret name'), host: text('host'), value }
  await insert('tool_secrets', { ...secret, updated_at: now })
  await insert('tool_hosts', { organization_id, host: text('host'), added_at: now })
  const definition = {
    ...{ name: text('tool'), description: text('tool'), method: 'GET', url: 'https://shop.invalid/' },
    ...{ headers: [], parameters: { type: 'object', properties: {} }, bound: [], body: '', fields: [] },
    ...{ approval: 'none', title: '' },
    ...{ timeoutSeconds: 1, maxKilobytes: 1, perTurn: 1, perDay: 1 },
  }
  const example = { at: 0, arguments: {}, bound: {}, result: text('result'), failure: null, status: 200, durationMs: 1 }
  await insert('http_tools', {
    ...{ id: httpToolId, organization_id, name: text('tool'), definition: JSON.stringify(definition) },
    ...{ example: JSON.stringify(example), failure: null, failed_at: null, used_on: null },
    ...{ created_at: now, updated_at: now },
  })
  await insert('tool_calls', {
    ...{ organization_id, turn_id: turnId, position: 0, conversation_id: conversationId, agent_id: agentId },
    ...{ name: text('tool'), has_failed: false, refusal: null, duration_ms: 1 },
  })
  await insert('tool_approvals', {
    ...{ id: ids.toolApprovalId, organization_id, conversation_id: conversationId, agent_id: agentId, turn_id: turnId },
    ...{ decider: 'operator', status: 'waiting', tool_kind: 'http', tool_id: httpToolId, tool_version: '0' },
    ...{ tool_name: text('tool'), title: text('title'), arguments: JSON.stringify({ order: text('argument') }) },
    ...{ asked_at: now, expires_at: new Date(now.getTime() + 3_600_000) },
  })
  await seedAttackCheck(insert, ids, text)
  await seedMcp(insert, ids, text, secrets)
  await seedBooking(insert, ids, text)
}

/** A check that has ended, with one attack. */
async function seedAttackCheck(insert: Insert, ids: Ids, text: Text): Promise<void> {
  const { organizationId: organization_id, attackCheckId, agentId } = ids
  const now = new Date()
  await insert('attack_checks', {
    ...{ id: attackCheckId, organization_id, agent_id: agentId, size: 'brief', status: 'done', agent_version: 1 },
    ...{ model: text('model'), resisted: 1, total: 1, begun_at: now, beat_at: now, ended_at: now },
  })
  await insert('attack_cases', {
    ...{ organization_id, check_id: attackCheckId, number: 0, kind: 'words', carrier: 'message', language: 'en' },
    ...{ text: text('attack'), outcome: 'resisted', calls: '[]', answer: text('answer') },
  })
}

/** A server that takes a token, its tool, and a consent under way. */
async function seedMcp(insert: Insert, ids: Ids, text: Text, secrets: Secrets): Promise<void> {
  const { organizationId: organization_id, mcpServerId, mcpToolId } = ids
  const now = new Date()
  const token = JSON.stringify({ kind: 'bearer', token: text('mcp token') })
  await insert('mcp_servers', {
    ...{ id: mcpServerId, organization_id, name: text('server'), short_name: text('short'), authorizes_by: 'bearer' },
    ...{ url: 'https://mcp.invalid/', credentials: secrets.encrypt(token, `mcp_servers|${mcpServerId}|credentials`) },
    ...{ status: 'connected', failure: null, refreshed_at: now, looked_at: now, created_at: now },
  })
  const hints = { isReadOnly: true, isDestructive: false }
  const tool = JSON.stringify({ description: text('mcp tool'), schema: { type: 'object' }, hints })
  await insert('mcp_tools', {
    ...{ id: mcpToolId, organization_id, server_id: mcpServerId, name: text('mcp'), model_name: text('model') },
    ...{ latest: tool, latest_hash: 'of-the-sweep', pinned: tool, pinned_hash: 'of-the-sweep', problem: null },
    ...{ failure: null, failed_at: null, used_on: null, created_at: now },
  })
  const state_hash = newId()
  await insert('mcp_authorizations', {
    ...{ state_hash, organization_id, server_id: mcpServerId, session_id: newId('sessions'), expires_at: now },
    asked: secrets.encrypt('{}', `mcp_authorizations|${state_hash}|asked`),
  })
}

/** A time that was offered in the conversation, and a visit. */
async function seedBooking(insert: Insert, ids: Ids, text: Text): Promise<void> {
  const { organizationId: organization_id, agentId: agent_id, conversationId: conversation_id } = ids
  const [now, starts_at, ends_at] = [0, 1, 2].map((hours) => new Date(Date.now() + hours * 3_600_000)) as [
    Date,
    Date,
    Date,
  ]
  const place = { organization_id, agent_id, conversation_id, starts_at, ends_at, time_zone: null }
  await insert('booking_slots', { id: newId('bookingSlots'), ...place, expires_at: ends_at })
  const event = JSON.stringify({ title: text('visit'), description: text('visit'), reminders: [] })
  await insert('bookings', {
    ...{ id: newId('bookings'), ...place, calendar_id: text('calendar'), status: 'booked', moves_from: null },
    ...{ event, created_at: now, changed_at: now },
  })
}

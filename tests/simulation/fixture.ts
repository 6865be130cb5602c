// What a conversation of its own needs: an organization, an agent of some manner, and a connection over which customers reach it.

import { randomSecret, seal } from '#server/domain/channels/connections/access.ts'
import { connectionRow, type NewConnection } from '#server/domain/channels/connections/connections.store.ts'
import type { Database, Db } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import type { Id } from '#shared/ids.ts'
import { FLOODED } from '#tests/flood.ts'

/** An agent behind a connection of its own. */
export type Fixture = {
  organizationId: Id<'organizations'>
  /** Who owns it first. */
  memberIds: [Id<'users'>, Id<'users'>]
  agentId: Id<'agents'>
  connectionId: Id<'channelConnections'>
  webhookPath: string
}
type Manner = Partial<AgentSettings>

/** As many new organizations, each with an agent of one of these manners and a connection. */
export async function addFixtures(database: Database, secrets: Secrets, manners: Manner[]): Promise<Fixture[]> {
  const stations = manners.map(newStation)
  const now = new Date()
  await database.system(
    'simulation: add stations',
    async (db) => {
      await addOrganizations(db, stations)
      await db.insertInto('agents').values(stations.map(agentOf)).execute()
      const versions = stations.map((station, index) => versionOf(station, manners[index] ?? {}))
      await db.insertInto('agent_versions').values(versions).execute()
      const connections = stations.map((station) => connectionRow(connectionOf(secrets, station), now))
      // Its webhooks are played: without a public address they would be polled instead.
      const chosen = { delivery_chosen: true }
      const connected = { status: 'connected', judged_at: now, last_heartbeat_at: now, ...chosen } as const
      await db
        .insertInto('channel_connections')
        .values(connections.map((row) => ({ ...row, ...connected })))
        .execute()
    },
    { isolation: 'read committed' },
  )
  return stations
}

function newStation(): Fixture {
  return {
    organizationId: newId('organizations'),
    memberIds: [newId('users'), newId('users')],
    agentId: newId('agents'),
    connectionId: newId('channelConnections'),
    webhookPath: randomSecret(),
  }
}

async function addOrganizations(db: Db, stations: Fixture[]): Promise<void> {
  const users = stations.flatMap(({ memberIds }) =>
    memberIds.map((id) => ({ id, name: 'Person', email: `${id}@example.com`, email_verified: true })),
  )
  await db.insertInto('users').values(users).execute()
  const organizations = stations.map(({ organizationId: id, memberIds: [owner_id] }) => ({
    id,
    name: 'Organization',
    owner_id,
  }))
  await db.insertInto('organizations').values(organizations).execute()
  const members = stations.flatMap(({ organizationId: organization_id, memberIds }) =>
    memberIds.map((user_id) => ({ user_id, organization_id, role: 'operator' as const })),
  )
  await db.insertInto('members').values(members).execute()
}

function agentOf({ agentId, organizationId }: Fixture) {
  return { id: agentId, organization_id: organizationId, slug: agentId, name: 'Agent' }
}

function versionOf({ agentId, organizationId }: Fixture, manner: Manner) {
  return {
    id: newId('agentVersions'),
    organization_id: organizationId,
    agent_id: agentId,
    number: 1,
    settings: JSON.stringify({ model: 'test/model', ...FLOODED, ...manner }),
  }
}

function connectionOf(
  secrets: Secrets,
  { organizationId, agentId, connectionId, webhookPath }: Fixture,
): NewConnection {
  return {
    ...seal(secrets, connectionId, { token: connectionId, webhookSecret: randomSecret() }),
    id: connectionId,
    organizationId,
    agentId,
    channel: 'telegram',
    delivery: 'webhook',
    identifier: 'bot',
    externalAccountId: connectionId,
    webhookPath,
    tokenTail: '0000',
    state: null,
  }
}

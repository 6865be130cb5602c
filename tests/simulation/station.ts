// What a conversation of its own needs: an organization, an agent of some manner, and a connection over which customers reach it.
import type { Database, Db } from '#server/db/database.ts'
import { randomSecret, seal } from '#server/features/channels/access.ts'
import { insertConnection, setConnected } from '#server/features/channels/connections.store.ts'
import { newId } from '#server/lib/ids.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import type { AgentSettings } from '#shared/agent-settings.ts'
import type { Id } from '#shared/ids.ts'

/** An agent behind a connection of its own. */
export type Station = {
  organizationId: Id<'organizations'>
  /** Who owns it first. */
  memberIds: Id<'users'>[]
  agentId: Id<'agents'>
  connectionId: Id<'channelConnections'>
  webhookPath: string
}

/** A new organization with an agent and a connection. */
export async function addStation(
  database: Database,
  secrets: Secrets,
  settings: Partial<AgentSettings>,
): Promise<Station> {
  const organizationId = newId('organizations')
  const memberIds = [newId('users'), newId('users')] as const
  const agentId = newId('agents')
  const connectionId = newId('channelConnections')
  const webhookPath = randomSecret()
  const agent = { id: agentId, organization_id: organizationId, slug: agentId, name: 'Agent' }
  const version = {
    id: newId('agentVersions'),
    organization_id: organizationId,
    agent_id: agentId,
    number: 1,
    settings: JSON.stringify({ model: 'test/model', ...settings }),
  }
  const connection = {
    ...seal(secrets, connectionId, { token: connectionId, webhookSecret: randomSecret() }),
    organizationId,
    agentId,
    channel: 'telegram' as const,
    delivery: 'webhook' as const,
    identifier: 'bot',
    externalAccountId: connectionId,
    webhookPath,
    tokenTail: '0000',
    state: null,
  }
  const write = { isolation: 'read committed' } as const
  await database.system(
    'simulation: add station',
    async (db) => {
      await addOrganization(db, organizationId, memberIds)
      await db.insertInto('agents').values(agent).execute()
      await db.insertInto('agent_versions').values(version).execute()
      const ctx = { db, organizationId }
      await insertConnection(ctx, connection, new Date())
      await setConnected(ctx, connectionId, new Date())
    },
    write,
  )
  return { organizationId, memberIds: [...memberIds], agentId, connectionId, webhookPath }
}

async function addOrganization(
  db: Db,
  id: Id<'organizations'>,
  memberIds: readonly [Id<'users'>, Id<'users'>],
): Promise<void> {
  const users = memberIds.map((each) => ({
    id: each,
    name: 'Person',
    email: `${each}@example.com`,
    email_verified: true,
  }))
  await db.insertInto('users').values(users).execute()
  await db.insertInto('organizations').values({ id, name: 'Organization', owner_id: memberIds[0] }).execute()
  const members = memberIds.map((each) => ({ user_id: each, organization_id: id }))
  await db.insertInto('members').values(members).execute()
}

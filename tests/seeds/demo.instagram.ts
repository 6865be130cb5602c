// The demo's Instagram account, and what its fake has to remember over a restart.
import type { Database } from '#server/platform/db/database.ts'
import type { FakeAccount, FakeInstagram } from '#tests/fakes/instagram/instagram.ts'

/** The same at every start: a connection keeps its token and secret. */
export function addDemoAccount(instagram: FakeInstagram): FakeAccount {
  const account = instagram.addAccount({ userId: '17841400555030303', username: 'pine.shore.hotel' })
  account.accessToken = `IGAA${'d3m0'.repeat(16)}`
  account.app.secret = 'd3d0'.repeat(8)
  return account
}

/** Restores the fake's account: that it was subscribed, and its webhook address once that was entered. */
export async function rememberAccount(account: FakeAccount, database: Database, serverUrl: string): Promise<void> {
  const connection = await database.system('demo: the Instagram account', (db) =>
    db
      .selectFrom('channel_connections')
      .where('channel', '=', 'instagram')
      .where('external_account_id', '=', account.userId)
      .where('disconnected_at', 'is', null)
      .select(['webhook_path', 'status'])
      .executeTakeFirst(),
  )
  if (!connection) return
  account.subscribedFields = ['messages', 'message_edit', 'messaging_postbacks', 'messaging_seen', 'message_reactions']
  if (connection.status === 'pending') return
  account.app.webhook = { url: `${serverUrl}/webhooks/instagram/${connection.webhook_path}`, verifyToken: '' }
}

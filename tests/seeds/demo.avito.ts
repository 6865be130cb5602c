// The demo's Avito account: the same key at every start, so that a connection keeps working.
import type { App } from '#server/app.ts'
import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import { SECRETS } from '#server/domain/channels/connections/connections.store.ts'
import type { FakeAd, FakeAvito, FakeAvitoAccount } from '#tests/fakes/avito/avito.ts'

export const DEMO_AD: FakeAd = {
  id: 4_098_549_657,
  title: 'Номер в отеле «Сосновый берег»',
  priceString: '4 500 ₽ за сутки',
  url: 'https://avito.ru/svetlogorsk/kvartiry/sosnovyy_bereg_4098549657',
}

export function addDemoAccount(avito: FakeAvito): FakeAvitoAccount {
  return avito.addAccount({
    userId: 200_300_400,
    name: 'Сосновый берег',
    clientId: 'd3moAvitoClient01234',
    clientSecret: 'd3mo'.repeat(10),
  })
}

/** The fake forgets its subscriptions when it exits: a connected account registers its webhook again. */
export async function rememberAccount({ userId }: FakeAvitoAccount, app: App): Promise<void> {
  const { secrets, channels } = app.services
  const connection = await app.database.system('demo: the account of Avito', (db) =>
    db
      .selectFrom('channel_connections')
      .where('channel', '=', 'avito')
      .where('external_account_id', '=', String(userId))
      .where('disconnected_at', 'is', null)
      .select([...SECRETS, 'webhook_path as webhookPath'])
      .executeTakeFirst(),
  )
  if (!connection) return
  await channels.avito.connect(
    credentialsOf(secrets, connection),
    `${app.url}/webhooks/avito/${connection.webhookPath}`,
  )
}

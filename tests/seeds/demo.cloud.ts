// The demo's number on the Cloud API, and what its fake has to remember over a restart.
import type { Database } from '#server/platform/db/database.ts'
import type { FakeNumber, FakeWhatsappCloud } from '#tests/fakes/whatsapp-cloud/whatsapp-cloud.ts'

const TEMPLATES = [
  {
    name: 'booking_reminder',
    language: 'ru',
    status: 'APPROVED',
    category: 'UTILITY',
    components: [
      { type: 'BODY', text: 'Здравствуйте, {{1}}! Напоминаем о брони с {{2}}. Ждём вас.' },
      { type: 'FOOTER', text: 'Сосновый берег' },
    ],
  },
  {
    name: 'hello',
    language: 'en',
    status: 'APPROVED',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Hello! We have news about your question. Shall we go on here?' }],
  },
]

/** The same at every start: a connection keeps the ids and secrets of its number. */
export function addDemoNumber(cloud: FakeWhatsappCloud): FakeNumber {
  return cloud.addNumber({
    phoneNumberId: '790055503030001',
    accountId: '790055503030002',
    accessToken: `EAA${'d3m0'.repeat(16)}`,
    appSecret: 'd3d0'.repeat(8),
    phone: '+7 900 555-03-03',
    verifiedName: 'Сосновый берег',
    templates: TEMPLATES,
  })
}

/** Restores the fake's account: that it was subscribed, and its webhook address once that was entered. */
export async function rememberNumber(number: FakeNumber, database: Database, serverUrl: string): Promise<void> {
  const connection = await database.system('demo: the number of the Cloud API', (db) =>
    db
      .selectFrom('channel_connections')
      .where('channel', '=', 'whatsappCloud')
      .where('external_account_id', '=', number.phoneNumberId)
      .where('disconnected_at', 'is', null)
      .select(['webhook_path', 'status'])
      .executeTakeFirst(),
  )
  if (!connection) return
  number.isSubscribed = true
  if (connection.status === 'pending') return
  number.appWebhook = { url: `${serverUrl}/webhooks/whatsappCloud/${connection.webhook_path}`, verifyToken: '' }
}

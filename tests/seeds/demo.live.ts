// Customers of this hour: they write to the demonstration's bots, and its agents answer them as they would answer anybody. Unlike the
// invented past, what becomes of them is recorded.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Customer, FakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import type { DemoAgentKey } from './demo.dialogues.ts'

type Writer = { to: DemoAgentKey; customer: Customer; texts: string[] }

const WRITERS: Writer[] = [
  {
    to: 'booking',
    customer: { chatId: 8_100_001, firstName: 'Hannah', lastName: 'Berg', language: 'en' },
    texts: ['Hi there! What time is check-in, and can we leave our luggage earlier?'],
  },
  {
    to: 'sales',
    customer: { chatId: 8_100_002, firstName: 'Роман', lastName: 'Дёмин', language: 'ru' },
    texts: ['Добрый день! Сколько стоит номер на двоих в выходные?', 'И входит ли завтрак?'],
  },
  {
    to: 'support',
    customer: { chatId: 8_100_003, firstName: 'Алина', lastName: 'Ветрова', language: 'ru' },
    texts: ['Здравствуйте, есть ли у вас парковка?', 'Позовите оператора, пожалуйста'],
  },
  {
    to: 'support',
    customer: { chatId: 8_100_004, firstName: 'Игорь', lastName: 'Савин', language: 'ru' },
    texts: ['Здравствуйте! Какой пароль от Wi-Fi?'],
  },
]
/** Long enough for an answer. */
const PAUSE_MS = 3000

/** Lets all of them write at the same time, each one message after another; answers may still be on their way when it resolves. */
export async function letCustomersWrite(
  telegram: FakeTelegram,
  bots: Record<DemoAgentKey, { token: string }>,
): Promise<void> {
  const write = async ({ to, customer, texts }: Writer) => {
    for (const text of texts) {
      const update = telegram.customerSays(bots[to].token, customer, text)
      await telegram.waitFor(() => telegram.acknowledged.has(update), 'a message to be taken')
      await sleep(PAUSE_MS)
    }
  }
  await Promise.all(WRITERS.map(write))
}

// The page of a number of the fake Cloud API, with the dashboard in which an address is entered, and the owner's app.
import {
  type PageFake,
  type PageLook,
  type PageMessage,
  type PageState,
  startProviderPage,
  TYPING_MS,
  TYPING_NOTE,
} from '#tests/fakes/provider-page.ts'
import { type FakeNumber, type FakeWhatsappCloud, pressOf } from './whatsapp-cloud.ts'

type PageEntry = { phone: string; from: 'me' | 'agent'; text: string; at: number }

const LOOK: PageLook = {
  name: 'cloud',
  title: 'WhatsApp Cloud API (имитация · fake)',
  intro: 'Имитация WhatsApp Cloud API. · A fake WhatsApp Cloud API.',
  colors: {
    light: '--page: #e8ecf0; --mine: #dff3c8; --chat: #e6ddd4; --accent: #0a7d63',
    dark: '--mine: #1f4f45; --theirs: #182533; --chat: #0b141a; --line: #24313d; --accent: #4cc2a3; --on: #06221b',
  },
  customers: [79_005_551_000, 79_005_559_999],
  panel: "Кабинет Meta · Meta's dashboard",
  states: ['доставляет · delivers', 'адреса нет · no address'],
  facts: [
    ['phoneNumberId', 'Phone number ID'],
    ['accountId', 'WhatsApp Business Account ID'],
    ['accessToken', 'Access token'],
    ['appSecret', 'App secret'],
  ],
  webhook: ['Callback URL', 'Verify token'],
  answer: { at: 'button', label: "Ответить с телефона владельца · Answer from the owner's phone" },
}

/** Starts the page for one number of the fake. @returns its address and how to stop it */
export function startWhatsappCloudPage(cloud: FakeWhatsappCloud, number: FakeNumber, port: number) {
  const entries: PageEntry[] = []
  const { phoneNumberId } = number
  const fake: PageFake = {
    isCustomer: /^\d{7,15}$/,
    state: (phone) => stateOf(cloud, number, entries, phone),
    enterWebhook: (entered) => cloud.enterWebhook(phoneNumberId, entered),
    act(what, phone, { text, id, choice }) {
      const customer = { phone, name: 'Гость' }
      const words = what === '/press' ? titleOf(choice) : text
      entries.push({ phone, from: what === '/answer' ? 'agent' : 'me', text: words, at: cloud.now() })
      if (what === '/press') cloud.customerSends(phoneNumberId, customer, pressOf(id, choice))
      else if (what === '/answer') cloud.ownerSays(phoneNumberId, phone, text)
      else cloud.customerSays(phoneNumberId, customer, text)
      return true
    },
  }
  return startProviderPage(LOOK, fake, port)
}

function stateOf(cloud: FakeWhatsappCloud, number: FakeNumber, entries: PageEntry[], phone: string): PageState {
  const { phoneNumberId, accountId, accessToken, appSecret, webhook, appWebhook } = number
  const theirs = cloud.sentTo(phone)
  const own = entries.filter((message) => message.phone === phone)
  const messages: (PageMessage & { at: number })[] = [
    ...own.map(({ from, text, at }) => ({ from, text, at })),
    ...theirs.map(({ text, at, choices, file, template, id }) => ({
      from: 'agent' as const,
      text: text || file?.name || (template && [template.name, ...template.words].join(' · ')) || '',
      at,
      buttons: choices.map((choice) => ({ label: choice.title, press: { choice, id } })),
    })),
  ].toSorted((a, b) => a.at - b.at)
  const isTyping = cloud.typedAt > (theirs.at(-1)?.at ?? 0) && cloud.now() - cloud.typedAt < TYPING_MS
  return {
    facts: { phoneNumberId, accountId, accessToken, appSecret },
    isConnected: (webhook ?? appWebhook) !== null && number.isSubscribed,
    messages,
    note: isTyping ? TYPING_NOTE : '',
  }
}

function titleOf(choice: unknown): string {
  return typeof choice === 'object' && choice !== null && 'title' in choice ? String(choice.title) : ''
}

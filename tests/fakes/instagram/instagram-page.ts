// The page of an account of the fake Instagram, with the dashboard for entering an address, and a person who answers in the app itself.

import {
  type PageFake,
  type PageLook,
  type PageMessage,
  type PageState,
  startProviderPage,
  TYPING_MS,
  TYPING_NOTE,
} from '#tests/fakes/provider-page.ts'
import type { FakeAccount, FakeInstagram } from './instagram.ts'

type PageEntry = { userId: string; from: 'me' | 'agent'; text: string; at: number }

const LOOK: PageLook = {
  name: 'instagram',
  title: 'Instagram (имитация · fake)',
  intro: 'Имитация Instagram. · A fake Instagram.',
  colors: {
    light: '--page: #e8ecf0; --mine: #f6dcec; --chat: #f3eaf0; --accent: #b3246b',
    dark: '--mine: #571f3d; --theirs: #241a22; --chat: #150d13; --line: #3a2a35; --accent: #f28bbd; --on: #2b0718',
  },
  customers: [1_000_000_000, 9_999_999_999],
  panel: "Кабинет Meta · Meta's dashboard",
  states: ['доставляет · delivers', 'адреса нет · no address'],
  facts: [
    ['username', 'Аккаунт · Account'],
    ['accessToken', 'Токен доступа · Access token'],
    ['appSecret', 'Секрет приложения Instagram · Instagram app secret'],
  ],
  webhook: ['Адрес для уведомлений · Callback URL', 'Токен проверки · Verify token'],
  answer: { at: 'button', label: 'Ответить из самого Instagram · Answer in Instagram itself' },
}

/** Starts the page for one account of the fake. @returns its address and how to stop it */
export function startInstagramPage(instagram: FakeInstagram, account: FakeAccount, port: number) {
  const entries: PageEntry[] = []
  const fake: PageFake = {
    isCustomer: /^\d{5,15}$/,
    state: (customer) => stateOf(instagram, account, entries, customer),
    enterWebhook: (entered) => instagram.enterWebhook(account.userId, entered),
    act(what, userId, { text, payload }) {
      const customer = { id: userId, name: 'Гость', username: 'guest' }
      const replies = instagram.sentTo(userId).at(-1)?.quickReplies ?? []
      const pressed = replies.find((reply) => reply.payload === payload)
      const words = what === '/press' ? pressed?.title : text
      if (words === undefined) return false
      entries.push({ userId, from: what === '/answer' ? 'agent' : 'me', text: words, at: instagram.now() })
      if (what === '/press') instagram.customerSays(account.userId, customer, words, { quick_reply: { payload } })
      else if (what === '/answer') instagram.ownerSays(account.userId, userId, words)
      else instagram.customerSays(account.userId, customer, words)
      return true
    },
  }
  return startProviderPage(LOOK, fake, port)
}

function stateOf(instagram: FakeInstagram, account: FakeAccount, entries: PageEntry[], userId: string): PageState {
  const { username, accessToken, app } = account
  const theirs = instagram.sentTo(userId)
  const own = entries.filter((message) => message.userId === userId)
  const messages: (PageMessage & { at: number })[] = [
    ...own.map(({ from, text, at }) => ({ from, text, at })),
    ...theirs.map(({ text, at, quickReplies, file }) => ({
      from: 'agent' as const,
      text: text || nameIn(file?.url),
      at,
      buttons: quickReplies.map(({ title, payload }) => ({ label: title, press: { payload } })),
    })),
  ].toSorted((a, b) => a.at - b.at)
  // Quick replies disappear with the next message.
  const shown = messages.map((message, index) =>
    index === messages.length - 1 ? message : { ...message, buttons: [] },
  )
  const isTyping = instagram.typedAt > (theirs.at(-1)?.at ?? 0) && instagram.now() - instagram.typedAt < TYPING_MS
  return {
    facts: { username, accessToken, appSecret: app.secret },
    isConnected: app.webhook !== null && account.subscribedFields.length > 0,
    messages: shown,
    note: isTyping ? TYPING_NOTE : '',
  }
}

function nameIn(url = ''): string {
  return decodeURIComponent(url.split('/').at(-1) ?? '')
}

// The page of an ad of the fake Avito, with what its owner sees: the keys of the account, and the same chat in Avito's application.

import {
  type PageFake,
  type PageLook,
  type PageMessage,
  type PageState,
  startProviderPage,
} from '#tests/fakes/provider-page.ts'
import type { FakeAd, FakeAvito, FakeAvitoAccount } from './avito.ts'

const LONGEST = 1000
const LOOK: PageLook = {
  name: 'avito',
  title: 'Авито (имитация · fake)',
  intro: 'Имитация Авито: чат под объявлением. · A fake of Avito: the chat under an ad.',
  colors: {
    light: '--page: #eef0ee; --mine: #d8f2dc; --chat: #f1f4f2; --line: #d9dfdb; --accent: #0a7a2f',
    dark: '--card: #171e1a; --mine: #1d4429; --theirs: #1c2621; --chat: #0d1310; --line: #26332c; --accent: #6fd48c; --on: #08210f',
  },
  customers: [10_000_000, 99_999_999],
  panel: 'Продавец · Seller',
  states: ['аккаунт подключён · connected', 'аккаунт не подключён · not connected'],
  facts: [
    ['clientId', 'Client ID'],
    ['clientSecret', 'Client Secret'],
  ],
  answer: { at: 'panel', label: "Ответить из приложения Авито · Answer in Avito's application" },
  longest: LONGEST,
}

/** Starts the page for one ad of an account of the fake. @returns its address and how to stop it */
export function startAvitoPage(avito: FakeAvito, account: FakeAvitoAccount, ad: FakeAd, port: number) {
  const { userId } = account
  const fake: PageFake = {
    isCustomer: /^[1-9]\d{0,14}$/,
    state: (customer) => stateOf(avito, account, ad, Number(customer)),
    act(what, id, { text }) {
      if (text.length > LONGEST) return false
      const customer = customerOf(Number(id))
      if (what === '/say') avito.customerSays(userId, customer, text, ad)
      else if (what === '/answer') avito.ownerSays(userId, avito.chat(userId, customer, ad).id, text)
      return what !== '/press'
    },
  }
  return startProviderPage(LOOK, fake, port)
}

function stateOf(avito: FakeAvito, account: FakeAvitoAccount, ad: FakeAd, user: number): PageState {
  const { userId, clientId, clientSecret, subscriptions } = account
  const sent = avito.chat(userId, customerOf(user), ad).messages
  const messages = sent.map(({ authorId, content, file }): PageMessage => {
    const text = typeof content.text === 'string' ? content.text : (file?.name ?? '')
    return { from: authorId === userId ? 'agent' : 'me', text }
  })
  const last = sent.at(-1)
  return {
    facts: { clientId, clientSecret },
    subject: `${ad.title} · ${ad.priceString}`,
    isConnected: subscriptions.length > 0,
    messages,
    note: last && last.authorId !== userId && last.isRead ? 'Прочитано · Read' : '',
  }
}

function customerOf(id: number) {
  return { id, name: 'Гость' }
}

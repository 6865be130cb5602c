// The page of a bot of the fake MAX, with the platform that shows the bot's token.

import {
  type PageFake,
  type PageLook,
  type PageState,
  startProviderPage,
  TYPING_MS,
  TYPING_NOTE,
} from '#tests/fakes/provider-page.ts'
import type { FakeMax, FakeMaxBot } from './max.ts'

type PageEntry = { userId: number; text: string; at: number }

/** A bot that was not polled for this long is not connected. */
const HEARD_MS = 60_000
const LOOK: PageLook = {
  name: 'max',
  title: 'MAX (имитация · fake)',
  intro: 'Имитация мессенджера MAX. · A fake of the messenger MAX.',
  colors: {
    light: '--page: #e8ecf0; --mine: #dfe3ff; --chat: #eceaf6; --accent: #4a3fd6',
    dark: '--mine: #2c2f63; --theirs: #1d2136; --chat: #0d0f1a; --line: #262c45; --accent: #9d97ff; --on: #14122e',
  },
  customers: [1_000_000, 9_999_999],
  panel: 'Платформа для партнёров · Partner platform',
  states: ['бот подключён · the bot is connected', 'бот не подключён · the bot is not connected'],
  facts: [
    ['username', 'Бот · Bot'],
    ['token', 'Токен · Token'],
  ],
}

/** Starts the page for one bot of the fake. @returns its address and how to stop it */
export function startMaxPage(max: FakeMax, bot: FakeMaxBot, port: number) {
  const entries: PageEntry[] = []
  const fake: PageFake = {
    isCustomer: /^\d{1,15}$/,
    state: (customer) => stateOf(max, bot, entries, Number(customer)),
    act(what, customer, { text, payload, mid }) {
      const words = what === '/press' ? (buttonOf(max, mid, payload) ?? '') : text
      if (words === '' || what === '/answer') return false
      const who = customerOf(Number(customer))
      entries.push({ userId: who.userId, text: words, at: performance.now() })
      if (what === '/press') max.customerPresses(bot.token, who, mid, payload)
      else max.customerSays(bot.token, who, text)
      return true
    },
  }
  return startProviderPage(LOOK, fake, port)
}

function stateOf(
  max: FakeMax,
  { token, username, askedAt }: FakeMaxBot,
  entries: PageEntry[],
  userId: number,
): PageState {
  const { chatId } = max.chatOf(token, customerOf(userId))
  const theirs = max.sentTo(chatId)
  const own = entries.filter((message) => message.userId === userId)
  const messages = [
    ...own.map(({ text, at }) => ({ from: 'me' as const, text, at })),
    ...theirs.map(({ text, at, buttons, file, mid }) => ({
      from: 'agent' as const,
      text: text || (file?.name ?? ''),
      at,
      buttons: buttons.flat().map(({ text: label, payload }) => ({ label, press: { payload, mid } })),
    })),
  ].toSorted((a, b) => a.at - b.at)
  const typedAt = max.typedAt.get(chatId) ?? 0
  const isTyping = typedAt > (theirs.at(-1)?.at ?? 0) && performance.now() - typedAt < TYPING_MS
  return {
    facts: { username, token },
    isConnected: Date.now() - askedAt < HEARD_MS,
    messages,
    note: isTyping ? TYPING_NOTE : '',
  }
}

/** The label of a button. */
function buttonOf(max: FakeMax, mid: string, payload: string): string | undefined {
  const buttons = max.sent.find((message) => message.mid === mid)?.buttons.flat() ?? []
  return buttons.find((button) => button.payload === payload)?.text
}

function customerOf(userId: number) {
  return { userId, firstName: 'Гость' }
}

// The page of a community of the fake VK, with its settings that show the key, and a person of it who answers at VK itself.
import { preciseNow } from '#tests/fakes/precise-now.ts'
import {
  type PageFake,
  type PageLook,
  type PageMessage,
  type PageState,
  startProviderPage,
  TYPING_MS,
  TYPING_NOTE,
} from '#tests/fakes/provider-page.ts'
import type { FakeCommunity, FakeVk } from './vk.ts'

type Shown = PageMessage & { at: number }
type PageEntry = Shown & { userId: number }

const LOOK: PageLook = {
  name: 'vk',
  title: 'ВКонтакте (имитация · fake VK)',
  intro: 'Имитация ВКонтакте. · A fake of VK.',
  colors: {
    light: '--page: #edeef0; --mine: #d3e5f8; --chat: #f2f4f7; --accent: #1f66b5',
    dark: '--mine: #1f3f63; --theirs: #222c36; --chat: #0f151b; --line: #2a3644; --accent: #8fc0f5; --on: #0c1a2a',
  },
  customers: [1_000_000, 9_999_999],
  panel: 'Управление сообществом · Community management',
  states: ['подключено · connected', 'не подключено · not connected'],
  facts: [
    ['screenName', 'Адрес · Address'],
    ['token', 'Ключ доступа · Access key'],
  ],
  answer: { at: 'panel', label: 'Ответить вместо агента · Answer instead of the agent' },
}

/** Starts the page for one community of the fake. @returns its address and how to stop it */
export function startVkPage(vk: FakeVk, community: FakeCommunity, port: number) {
  const entries: PageEntry[] = []
  const { groupId } = community
  const fake: PageFake = {
    isCustomer: /^\d{1,9}$/,
    state: (customer) => stateOf(vk, community, entries, Number(customer)),
    act(what, id, { text, payload }) {
      if (text === '') return false
      const customer = { id: Number(id), name: 'Гость Демонстрации' }
      if (what === '/answer') vk.operatorSays(groupId, customer.id, text)
      else if (what === '/press') vk.press(groupId, customer, { label: text, payload })
      else vk.customerSays(groupId, customer, text)
      entries.push({ userId: customer.id, text, at: preciseNow(), from: what === '/answer' ? 'person' : 'me' })
      return true
    },
  }
  return startProviderPage(LOOK, fake, port)
}

function stateOf(vk: FakeVk, community: FakeCommunity, entries: PageEntry[], userId: number): PageState {
  const { groupId, token, screenName, servers, longPoll } = community
  const sent = vk.sentTo(userId).filter((message) => message.groupId === groupId)
  const messages: Shown[] = [
    ...entries.filter((message) => message.userId === userId).map(({ from, text, at }) => ({ from, text, at })),
    ...sent.map(({ text, at, buttons, file }) => ({
      from: 'agent' as const,
      text: text || (file?.name ?? ''),
      at,
      buttons: buttons.map(({ label, payload }) => ({ label, press: { text: label, payload } })),
    })),
  ].toSorted((a, b) => a.at - b.at)
  const typed = vk.typing.findLast(({ peerId }) => peerId === userId)?.at ?? 0
  const isTyping = typed > (sent.at(-1)?.at ?? 0) && Date.now() - typed < TYPING_MS
  const isConnected = longPoll.isEnabled || servers.length > 0
  return { facts: { token, screenName }, messages, isConnected, note: isTyping ? TYPING_NOTE : '' }
}

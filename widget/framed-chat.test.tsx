// The chat in its frame: the unread counter on the closed button, and the room requested from the host page.
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { VisitorBubble, VisitorChat, VisitorSession } from '#shared/channels/webchat.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { ApiClient, type Follower } from './api-client.ts'
import { FramedVisitor } from './framed-chat.tsx'

const HOST = 'https://shop.example'
const SESSION: VisitorSession = {
  token: 'token',
  renewInMs: 60_000,
  widget: {
    title: 'Shop',
    color: '#2f5d50',
    position: 'left',
    texts: { ru: { greeting: '', offline: '' }, en: { greeting: '', offline: '' } },
    takesFiles: false,
    avatar: null,
    footer: null,
  },
}
const QUIET = { isAnswering: false, draft: null, person: null, personTypingMs: 0, isRatingAsked: false, isOpen: true }

let followers: Follower[] = []
beforeEach(() => {
  localStorage.clear()
  followers = []
  Element.prototype.scrollTo = () => {}
  vi.spyOn(ApiClient.prototype, 'open').mockResolvedValue(SESSION)
  vi.spyOn(ApiClient.prototype, 'follow').mockImplementation((follower) => {
    followers.push(follower)
    return () => void followers.splice(followers.indexOf(follower), 1)
  })
})
afterEach(() => vi.restoreAllMocks())

/** Posts a message as the host page. */
function tell(data: unknown) {
  return act(async () => {
    window.dispatchEvent(new MessageEvent('message', { data, origin: HOST, source: window.parent }))
  })
}

async function start() {
  const posted = vi.spyOn(window.parent, 'postMessage').mockImplementation(() => {})
  render(<FramedVisitor widgetKey="key" language="en" host={HOST} />)
  await act(async () => {})
  return {
    asked: () => posted.mock.lastCall?.[0] as unknown,
    press: (name: string) => fireEvent.click(screen.getByRole('button', { name })),
    show: (...bubbles: VisitorBubble[]) => {
      const chat: VisitorChat = { ...QUIET, bubbles }
      return act(async () => followers.at(-1)?.onChat(chat))
    },
    identify: (userId: string) => tell({ parley: 'identity', identity: { userId, hash: 'x' } }),
    forget: () => tell({ parley: 'forget' }),
  }
}

const question: VisitorBubble = { id: 'q', author: 'customer', text: 'Where is it?', files: [], at: 1 }
const answerAt = (at: number): VisitorBubble => ({ id: `a${at}`, author: 'agent', text: 'On its way.', files: [], at })

it('counts unread messages on the closed button, also after the first opening', async () => {
  const { press, show } = await start()
  expect(followers).toEqual([])
  press('Open the chat')
  await show(question)
  press('Close the chat')
  await show(question, answerAt(2), answerAt(3))
  const button = screen.getByRole('button', { name: 'Open the chat, unread messages: 2' })
  await expectAccessible()
  fireEvent.click(button)
  press('Close the chat')
  expect(screen.getByRole('button', { name: 'Open the chat' })).toHaveFocus()
})

it('counts only messages after the last one of the visitor from another device', async () => {
  const { identify, show } = await start()
  await identify('user-42')
  await show(answerAt(1), answerAt(2), { ...question, at: 3 }, answerAt(4))
  screen.getByRole('button', { name: 'Open the chat, unread messages: 1' })
})

it('counts nothing that was read in another tab', async () => {
  const { press, show } = await start()
  press('Open the chat')
  await show(question)
  press('Close the chat')
  await show(question, answerAt(2), answerAt(3))
  const stored = { key: 'parley-webchat-key-read', newValue: '3' }
  act(() => void window.dispatchEvent(new StorageEvent('storage', stored)))
  screen.getByRole('button', { name: 'Open the chat' })
})

it('says that there is no chat any more where it is open, and asks for no room afterwards', async () => {
  const { asked, press } = await start()
  expect(asked()).toEqual({ parley: 'frame', isOpen: false, isShown: true, position: 'left' })
  press('Open the chat')
  expect(asked()).toMatchObject({ isOpen: true, isShown: true })
  await act(async () => followers.at(-1)?.onGone())
  expect(screen.getByRole('alert')).toHaveTextContent('This chat is no longer available.')
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(screen.getByRole('button', { name: 'Close the chat' })).toHaveFocus()
  await expectAccessible()
  press('Close the chat')
  expect(asked()).toMatchObject({ isOpen: false, isShown: false })
  expect(screen.queryByRole('button')).toBeNull()
})

it('shows nothing of a known visitor any more when the page around forgets them', async () => {
  const { press, show, identify, forget } = await start()
  await identify('user-42')
  press('Open the chat')
  await show(question)
  screen.getByText('Where is it?')
  await forget()
  expect(screen.queryByText('Where is it?')).toBeNull()
})

it('stays open for a visitor of whom the page around says who it is, and shows nothing of the one before', async () => {
  const { press, show, identify } = await start()
  press('Open the chat')
  await show(question)
  await identify('user-42')
  expect(screen.getByRole('textbox')).toHaveFocus()
  expect(screen.queryByText('Where is it?')).toBeNull()
})

it('says while it is open that the database is unavailable, keeps what is typed, and does not ask while it is closed', async () => {
  vi.useFakeTimers()
  let database = 'ok'
  const health = vi.fn(async () => Response.json({ database }, { status: database === 'ok' ? 200 : 503 }))
  vi.stubGlobal('fetch', health)
  const becomes = (next: string) => {
    database = next
    return act(() => vi.advanceTimersByTimeAsync(2000))
  }
  const { press } = await start()
  await becomes('unavailable')
  expect(health).not.toHaveBeenCalled()
  press('Open the chat')
  await becomes('unavailable')
  expect(screen.getByRole('alert')).toHaveTextContent('messages are not getting through')
  const input = screen.getByRole('textbox')
  fireEvent.change(input, { target: { value: 'Where is it?' } })
  await becomes('ok')
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  expect(input).toHaveValue('Where is it?')
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

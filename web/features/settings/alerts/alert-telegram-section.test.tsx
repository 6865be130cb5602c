// Connecting the chat with the alert bot, and the explanation where the installation has none.
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { queryClient } from '#web/lib/server/query-client.ts'
import { AlertTelegramSection } from './alert-telegram-section.tsx'

let hasBot: boolean
let chat: { name: string } | null
const calls = vi.hoisted(() => vi.fn<(name: string) => Promise<unknown>>())
fakeConvex(() => {
  const call = (name: Parameters<typeof getFunctionName>[0]) => () => calls(getFunctionName(name))
  return { useQuery: () => chat, useMutation: call, useAction: call }
})

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('settings')
})
beforeEach(() => {
  queryClient.clear()
  hasBot = true
  chat = null
  calls.mockReset().mockImplementation(async (name) => {
    if (name === 'alerts:reach') return { email: false, telegram: hasBot }
    return name === 'alerts:openChat' ? { url: 'https://t.me/bot?start=code' } : null
  })
})

const page = () => (
  <QueryClientProvider client={queryClient}>
    <AlertTelegramSection />
  </QueryClientProvider>
)

it('links to the bot with a personal code, and notices when the user has started it', async () => {
  const { rerender } = render(page())
  await userEvent.click(await screen.findByRole('button', { name: 'Connect Telegram' }))
  expect(await screen.findByRole('link', { name: 'Open the bot' })).toHaveAttribute(
    'href',
    'https://t.me/bot?start=code',
  )
  await expectAccessible()
  chat = { name: 'Olga K' }
  rerender(page())
  expect(screen.getByText('Alerts go to the chat with Olga K.')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Send a test alert' }))
  expect(calls).toHaveBeenLastCalledWith('alerts:testChat')
  await userEvent.click(screen.getByRole('button', { name: 'Disconnect' }))
  expect(calls).toHaveBeenLastCalledWith('alerts:closeChat')
})

it('names who can set up a bot when the installation has none', async () => {
  hasBot = false
  render(page())
  expect(await screen.findByText(/Ask its administrator to set ALERT_BOT_TOKEN/)).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})

it('keeps its state when Telegram does not answer', async () => {
  render(page())
  const connect = await screen.findByRole('button', { name: 'Connect Telegram' })
  calls.mockRejectedValueOnce(new Error('no answer'))
  await userEvent.click(connect)
  expect(await screen.findByRole('button', { name: 'Connect Telegram' })).toBeEnabled()
})

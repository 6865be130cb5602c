// Where a user who tests a bot finds the number of a chat.
import { cleanup, render, screen } from '@testing-library/react'
import { beforeAll, expect, it, vi } from 'vitest'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { TelegramTestSection } from './telegram-test-section.tsx'

const server = vi.hoisted(() => ({ demonstration: null as unknown }))
fakeConvex(() => ({ useAction: () => vi.fn() }))
vi.mock('#web/lib/server/query-client.ts', () => ({ useFetched: () => ({ value: server.demonstration }) }))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('channels')
})

const show = (demonstration: unknown) => {
  cleanup()
  server.demonstration = demonstration
  render(
    <TelegramTestSection connection={{ _id: 'c', identifier: 'shop', status: 'connected' } as ChannelConnection} />,
  )
}

it('points to a bot that says it, and in a demonstration to the page that shows it', () => {
  show(null)
  expect(screen.getByText(/@userinfobot/)).toBeVisible()
  expect(screen.queryByText('This is a demonstration')).toBeNull()

  show({ telegram: 'http://phone.test/chat' })
  expect(screen.queryByText(/@userinfobot/)).toBeNull()
  expect(screen.getByText(/on the page “Customer’s phone”, below the name/)).toBeVisible()
  const link = screen.getByRole('link', { name: 'Open the customer’s phone' })
  expect(link).toHaveAttribute('href', 'http://phone.test/chat?bot=shop')
})

// What the page of a bot says of business accounts in whose names it may not answer.
import { cleanup, render, screen } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import type { BusinessAccount, ChannelConnection } from '#shared/channels/channels.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { BusinessAlert } from './business-alert.tsx'

const VERA = { linkId: 'a', ownerId: '1', ownerName: 'Vera', isOn: true, mayReply: true, since: 1 }

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('channels')
})

const show = (...businesses: BusinessAccount[]) => {
  cleanup()
  render(<BusinessAlert connection={{ identifier: 'shop_bot', businesses } as ChannelConnection} />)
}

it('says who has taken the bot off or does not let it answer, and what to do, and nothing of accounts that are well', () => {
  show(VERA, { ...VERA, ownerId: '2', ownerName: 'Oleg', isOn: false, mayReply: false })
  expect(screen.getByText('Oleg has removed the bot from their Telegram account')).toBeVisible()
  expect(screen.getByText(/can connect @shop_bot again/)).toBeVisible()
  expect(screen.queryByText(/Vera/)).toBeNull()

  show({ ...VERA, mayReply: false })
  expect(screen.getByText('Vera does not let the bot answer in their Telegram account')).toBeVisible()
  expect(screen.getByText(/@shop_bot and let it reply/)).toBeVisible()
})

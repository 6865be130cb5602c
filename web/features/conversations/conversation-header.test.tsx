// The bar over a conversation: what it offers, by channel and by what can be done.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, it, vi } from 'vitest'
import type { OpenConversation } from '#shared/messaging/conversations.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { ConversationHeader } from './conversation-header.tsx'

fakeConvex(() => ({
  useQuery: () => undefined,
  useMutation: () => async () => null,
  useAction: () => async () => null,
}))
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({
  useCurrentUser: () => ({ _id: 'me', organizationRole: 'owner' }),
}))

beforeAll(async () => {
  await startI18n('en')
  await Promise.all(['conversations', 'exports'].map((name) => loadTexts(name as 'conversations')))
})

async function offers(changed: Partial<OpenConversation>): Promise<{ actions: string[]; profile: string | null }> {
  const customer = { _id: 'anna', contactId: 'anna', name: 'Anna', username: 'anna.k' }
  const conversation = {
    _id: 'c',
    channel: 'telegram',
    status: 'active',
    folder: 'inbox',
    tags: [],
    agentName: 'Robo',
    customer,
  }
  render(
    <MemoryRouter>
      <NuqsTestingAdapter>
        <TooltipProvider>
          <ConversationHeader
            conversation={{ ...conversation, ...changed } as unknown as OpenConversation}
            agent={undefined}
            customerName="Anna"
            isSplitView
            onClose={() => undefined}
          />
        </TooltipProvider>
      </NuqsTestingAdapter>
    </MemoryRouter>,
  )
  const isPausable = screen.queryByRole('button', { name: 'Pause' }) !== null
  await userEvent.click(screen.getByRole('button', { name: 'Actions' }))
  const items = screen.getAllByRole('menuitem')
  const profile = items.find(({ textContent }) => textContent?.endsWith('profile'))
  return {
    actions: [...(isPausable ? ['Pause'] : []), ...items.map(({ textContent }) => textContent ?? '')],
    profile: profile?.getAttribute('href') ?? null,
  }
}

it.each([
  ['telegram', 'https://t.me/anna.k'],
  ['instagram', 'https://www.instagram.com/anna.k'],
  ['max', null],
  ['http', null],
] as const)('the profile of a user name is the one of its channel: %s', async (channel, profile) => {
  expect((await offers({ channel })).profile).toBe(profile)
})

it('what a deleted conversation refuses is not offered', async () => {
  const { actions } = await offers({ folder: 'deleted' })
  expect(actions.filter((action) => /Pause|End/.test(action))).toEqual([])
})

it('an active conversation can be paused and ended', async () => {
  const { actions } = await offers({})
  expect(actions.filter((action) => /Pause|End/.test(action))).toHaveLength(2)
})

// What the navigation says of unread conversations.
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, it, vi } from 'vitest'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { startI18n } from '#web/lib/i18n.ts'
import { BottomBar } from './mobile-nav.tsx'
import { Sidebar } from './sidebar.tsx'

vi.mock('#web/lib/sign-in/current-user.tsx', () => ({
  useCurrentUser: () => ({ _id: 'me', organizationRole: 'owner' }),
  useOrganization: () => ({ name: 'Hotel', logoUrl: null }),
}))

let unread = { count: 0, isMore: false }
fakeConvex(() => ({ useQuery: () => unread }))

beforeAll(() => startI18n('en'))

function show() {
  render(
    <MemoryRouter>
      <TooltipProvider>
        <Sidebar />
        <BottomBar />
      </TooltipProvider>
    </MemoryRouter>,
  )
}

it('says how many there are, wherever the entry stands', () => {
  unread = { count: 7, isMore: false }
  show()
  expect(screen.getAllByRole('link', { name: /^Conversations.*7 unread conversations$/ })).toHaveLength(1)
  expect(screen.getAllByRole('link', { name: /7 unread conversations/ })).toHaveLength(2)
})

it('says of many only that there are more', () => {
  unread = { count: 99, isMore: true }
  show()
  expect(screen.getAllByText('99+')).toHaveLength(2)
  expect(screen.getAllByText('more than 99 unread conversations')).toHaveLength(2)
})

it('says nothing when all is read', () => {
  unread = { count: 0, isMore: false }
  show()
  expect(screen.getAllByRole('link', { name: 'Conversations' })).toHaveLength(2)
})

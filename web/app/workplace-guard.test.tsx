// What keeps a tab in its organization, and what follows when a person is taken out of it.
import { render, screen, waitFor } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Workplace } from '#shared/organizations/members.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { Toaster } from '#web/components/ui/toaster.tsx'
import { startI18n } from '#web/lib/i18n.ts'
import * as workplaces from '#web/lib/sign-in/workplace.ts'
import { WorkplaceGuard } from './workplace-guard.tsx'

const user = vi.hoisted(() => ({
  _id: 'anna',
  organization: null as { _id: string; name: string } | null,
  supportAccesses: [] as { isOwn: boolean }[],
}))
const enter = vi.hoisted(() => vi.fn())
const refresh = vi.fn(async () => undefined)
let mine: Workplace[] | undefined

fakeConvex(() => ({ useQuery: () => mine, useMutation: () => async () => null, refreshAuth: refresh }))
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({ useCurrentUser: () => user }))
vi.mock('#web/lib/sign-in/session.tsx', () => ({ useSession: () => ({ end: async () => undefined }) }))
vi.mock('#web/lib/sign-in/workplace.ts', async (original) => ({
  ...(await original<typeof workplaces>()),
  enterOrganization: enter,
}))

const hotel = { _id: 'o1', name: 'Hotel' }
const shop = { _id: 'o2', name: 'Shop', logoUrl: null, role: 'owner', isCurrent: false } as Workplace

beforeAll(async () => {
  window.matchMedia ??= () => ({ matches: false, addEventListener() {} }) as never
  await startI18n('en')
})
beforeEach(() => {
  vi.clearAllMocks()
  sessionStorage.clear()
  localStorage.clear()
  workplaces.forgetWorkplace()
  user.organization = hotel
  user.supportAccesses = []
  mine = []
})

function show() {
  return render(
    <>
      <WorkplaceGuard>
        <h1>Inside</h1>
      </WorkplaceGuard>
      <Toaster />
    </>,
  )
}

describe('the guard of the workplace', () => {
  it('pins the first organization to the tab with a token of its own, once', () => {
    const { unmount } = show()
    expect(screen.getByRole('heading', { name: 'Inside' })).toBeVisible()
    expect(workplaces.wantedOrganization()).toBe('o1')
    expect(refresh).toHaveBeenCalledOnce()
    unmount()
    show()
    expect(refresh).toHaveBeenCalledOnce()
  })

  it('has new tabs begin where the person looked last', () => {
    show()
    localStorage.clear()
    window.dispatchEvent(new Event('focus'))
    expect(localStorage.getItem('parley-workplace-last')).toContain('o1')
  })

  it('brings a person who was removed into another organization of theirs, which says so', async () => {
    const page = show()
    mine = [shop]
    user.organization = null
    page.unmount()
    const elsewhere = show()
    expect(screen.queryByRole('heading', { name: 'Inside' })).not.toBeInTheDocument()
    await waitFor(() => expect(enter).toHaveBeenCalledWith('o2'))
    user.organization = shop
    elsewhere.unmount()
    show()
    expect(await screen.findByText('You no longer belong to “Hotel”')).toBeVisible()
    expect(screen.getByText('You are now in “Shop”.')).toBeVisible()
  })

  it('brings an administrator back to where they acted on behalf from, and begins no new tab there', async () => {
    user.supportAccesses = [{ isOwn: true }]
    const page = show()
    expect(localStorage.getItem('parley-workplace-last')).toBeNull()
    page.unmount()
    mine = [shop]
    user.organization = null
    user.supportAccesses = []
    const elsewhere = show()
    await waitFor(() => expect(enter).toHaveBeenCalledWith('o2', '/admin/organizations/o1'))
    user.organization = shop
    elsewhere.unmount()
    show()
    expect(await screen.findByText('Access to the organization “Hotel” has ended')).toBeVisible()
  })

  it('offers an organization of their own to who has no other, and says why', async () => {
    show().unmount()
    refresh.mockClear()
    user.organization = null
    show()
    expect(await screen.findByText('You no longer belong to “Hotel”')).toBeVisible()
    expect(screen.getByRole('heading', { name: 'An organization of your own' })).toBeVisible()
    expect(refresh).toHaveBeenCalledOnce()
    expect(workplaces.wantedOrganization()).toBe('current')
    expect(enter).not.toHaveBeenCalled()
    await expectAccessible()
  })

  it('waits while it is not known where else the person belongs', () => {
    show().unmount()
    user.organization = null
    mine = undefined
    show()
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
    expect(enter).not.toHaveBeenCalled()
  })
})
